import { Paper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown } from '@tabler/icons-react'
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Changes, RecordQuery, SortName } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { DrawnRows } from '#web/records/list/paged-list.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { usePrinting } from '#web/ui/use-printing.ts'
import { columnsOf } from './columns.tsx'
import { CutCells } from './cut-cells.tsx'
import classes from './record-table.module.css'
import { useSelection } from './use-selection.ts'

/** The heights of a row in pixels: 25 rows fit a window of 900. A finger needs 40, two lines on a phone 44. */
const ROW = 26
const ROW_TO_TOUCH = 40
const ROW_ON_PHONES = 44

/** As in lists of cards, up to this many rows are drawn in full, so that the browser's search finds everything. */
const WHOLE_UP_TO = 200
const OVERSCAN = 10

const BulkBar = lazyPart(
  'The acts on selected rows could not be loaded.',
  async () => (await import('#web/bulk/bulk-bar.tsx')).BulkBar,
)

type RecordTableProps = DrawnRows<RecordRow> & {
  kind: RecordKind
  query: RecordQuery
  change: (changes: Changes) => void
}

/** Records as a dense table. Of a long list only the rows near the window are drawn, and the one with the focus. */
export function RecordTable({ kind, query, change, rows, total, isBusy }: RecordTableProps) {
  const isTouched = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false })
  const isPhone = useIsPhone()
  const height = isPhone ? ROW_ON_PHONES : isTouched ? ROW_TO_TOUCH : ROW
  const columns = useMemo(() => columnsOf(kind), [kind])
  const [focused, setFocused] = useState<number>()
  const body = useRef<HTMLTableSectionElement>(null)
  const drawn = useDrawnRows(body, rows.length, height, focused)
  const selection = useSelection(useMemo(() => rows.map(({ id }) => id), [rows]))
  const { selected } = selection
  return (
    <CutCells columns={columns}>
      <Paper withBorder className={classes.box}>
        <table className={classes.table} aria-label={kind.plural} aria-rowcount={(total ?? -2) + 1} aria-busy={isBusy}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className={classes.select}>
                <ChangeActs>
                  <label className={classes.check}>
                    <input
                      type="checkbox"
                      aria-label="Select all shown"
                      title="Select all shown"
                      checked={selected.length > 0 && (selection.isFull || selected.length === rows.length)}
                      ref={(box) => {
                        if (box)
                          box.indeterminate = selected.length > 0 && !selection.isFull && selected.length < rows.length
                      }}
                      onChange={({ currentTarget }) =>
                        currentTarget.checked ? selection.selectAll() : selection.clear()
                      }
                    />
                  </label>
                </ChangeActs>
              </th>
              {columns.map(({ name, sort, className }) => (
                <SortHeader key={name} sort={sort} current={query.sort} className={className} change={change}>
                  {name}
                </SortHeader>
              ))}
            </tr>
          </thead>
          <tbody ref={body} className="cut">
            {drawn.places.map(({ place, gap }) => {
              const record = rows[place]
              return (
                record && (
                  <Fragment key={record.id}>
                    {gap > 0 && <Gap rows={gap} height={height} columns={columns.length + 1} />}
                    <tr
                      data-id={record.id}
                      aria-rowindex={place + 2}
                      className={classes.row}
                      style={{ height }}
                      data-selected={selection.isSelected(record.id) || undefined}
                      onFocus={() => setFocused(place)}
                    >
                      <td className={classes.select}>
                        <ChangeActs>
                          <label className={classes.check}>
                            <input
                              type="checkbox"
                              data-box={record.id}
                              aria-label={`Select ${record.name}`}
                              {...selection.boxOf(record.id)}
                            />
                          </label>
                        </ChangeActs>
                      </td>
                      {columns.map(({ name, className, Cell }) => (
                        <td key={name} className={className}>
                          <Cell kind={kind} record={record} query={query} />
                        </td>
                      ))}
                    </tr>
                  </Fragment>
                )
              )
            })}
            {drawn.rest > 0 && <Gap rows={drawn.rest} height={height} columns={columns.length + 1} />}
          </tbody>
        </table>
      </Paper>
      {selected.length > 0 && (
        <BulkBar kind={kind} ids={selected} isFull={selection.isFull} onClear={selection.clear} />
      )}
    </CutCells>
  )
}

/** The space of rows that are not drawn. */
const Gap = ({ rows, height, columns }: { rows: number; height: number; columns: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this row takes no focus
  <tr aria-hidden="true">
    <td colSpan={columns} className={classes.gap} style={{ height: rows * height }} />
  </tr>
)

/** The rows that are drawn, each with the number of rows left out before it, and the number left out at the end. */
function useDrawnRows(body: RefObject<HTMLElement | null>, count: number, height: number, focused: number | undefined) {
  const isPrinting = usePrinting()
  const isWhole = isPrinting || count <= WHOLE_UP_TO
  const [top, setTop] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content above the table may change with its rows
  useLayoutEffect(() => {
    const place = () => setTop(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    place()
    window.addEventListener('resize', place)
    return () => window.removeEventListener('resize', place)
  }, [body, count])

  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    rangeExtractor: useCallback(
      (range: Range) => {
        if (isWhole) return Array.from({ length: range.count }, (_, place) => place)
        // The keyboard enters the table by its first and its last row, and goes on from the focused one.
        const always = focused === undefined ? [] : [focused - 1, focused, focused + 1]
        const drawn = new Set([...defaultRangeExtractor(range), 0, range.count - 1, ...always])
        return [...drawn].filter((place) => place >= 0 && place < range.count).sort((a, b) => a - b)
      },
      [isWhole, focused],
    ),
  })
  let next = 0
  const places = virtualizer.getVirtualItems().map(({ index }) => {
    const gap = index - next
    next = index + 1
    return { place: index, gap }
  })
  return { places, rest: count - next }
}

type SortHeaderProps = {
  /** Absent for a column that lists cannot be sorted by. */
  sort: SortName | undefined
  current: SortName
  className: string | undefined
  change: (changes: Changes) => void
  children: ReactNode
}

/** The head of a column. Each sort has one direction: the highest or newest first. */
const SortHeader = ({ sort, current, className, change, children }: SortHeaderProps) =>
  sort === undefined ? (
    <th scope="col" className={className}>
      {children}
    </th>
  ) : (
    <th scope="col" className={className} aria-sort={sort === current ? 'descending' : 'none'}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => sort !== current && change({ sort: sort === 'newest' ? '' : sort })}
      >
        {children}
        <IconArrowDown size={14} stroke={1.5} aria-hidden="true" className={classes.arrow} />
      </button>
    </th>
  )
