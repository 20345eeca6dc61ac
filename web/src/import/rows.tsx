import '@mantine/core/styles/Table.css'
import { Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Import, type ImportOutcome, type ImportRow, importFieldsOf } from '#contract/import.ts'
import { CountTabs } from '#web/ui/count-tabs.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { listRows, ROWS_SHOWN } from './api.ts'
import classes from './import.module.css'
import { countOf, fieldLabels, outcomeLabels } from './words.ts'

/** Of a row with one line, in pixels: keeps the place of the rows while they load. */
const ROW_HEIGHT = 36

/** The counts of all rows by outcome, and the first rows of each. */
export function Rows({ import: shown }: { import: Import }) {
  const [outcome, setOutcome] = useState<ImportOutcome | ''>('')
  const { marked: _, ...outcomes } = shown.counts
  const counts = Object.entries(outcomes) as [ImportOutcome, number][]
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  const tabs = counts.filter(([name, count]) => count > 0 || name === outcome)
  return (
    <CountTabs
      label="Which rows"
      value={outcome || 'all'}
      onChange={(value) => setOutcome(value === 'all' ? '' : (value as ImportOutcome))}
      tabs={[
        { value: 'all', label: 'All rows', count: total.toLocaleString('en') },
        ...tabs.map(([value, count]) => ({ value, label: outcomeLabels[value], count: count.toLocaleString('en') })),
      ]}
    >
      <RowsTable
        import={shown}
        outcome={outcome}
        total={outcome === '' ? total : (shown.counts[outcome as 'created'] ?? 0)}
      />
    </CountTabs>
  )
}

function RowsTable({ import: shown, outcome, total }: { import: Import; outcome: ImportOutcome | ''; total: number }) {
  const { data, error, refetch } = useQuery(listRows(shown, outcome))
  if (error && !data) return <ErrorState title="The rows could not be loaded" error={error} retry={refetch} />
  if (!data) return <Skeleton height={ROW_HEIGHT * (1 + Math.min(total, ROWS_SHOWN))} aria-busy="true" />
  const fields = importFieldsOf[shown.kind].filter((field) => shown.mapping[field] !== undefined)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.scroll} aria-label="Rows" tabIndex={0}>
        <Table className={classes.table ?? ''} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Row</Table.Th>
              <Table.Th>Outcome</Table.Th>
              {fields.map((field) => (
                <Table.Th key={field}>{fieldLabels[field]}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map((row) => (
              <Table.Tr key={row.row}>
                <Table.Td className={classes.numeral ?? ''}>{row.row}</Table.Td>
                <Table.Td className={classes.outcome ?? ''}>
                  {outcomeLabels[row.outcome]}
                  <Text size="xs" c="dimmed">
                    {reasonOf(row)}
                  </Text>
                </Table.Td>
                {fields.map((field) => (
                  <Table.Td key={field}>
                    <bdi className={classes.value}>{row.values[field]?.slice(0, 300)}</bdi>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {total > ROWS_SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          The first {ROWS_SHOWN} of {countOf(total, 'row')}
        </Text>
      )}
    </>
  )
}

const reasonOf = ({ faults }: ImportRow) =>
  faults
    .map(({ column, sentence }) =>
      column === undefined || sentence.startsWith(column) ? sentence : `${column}: ${sentence}`,
    )
    .join(' ')
