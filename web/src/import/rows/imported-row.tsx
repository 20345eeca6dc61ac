import type { Fault, Import, ImportRow } from '#contract/import.ts'
import { type ImportFieldName, importKindNamed } from '#contract/import-kinds.ts'
import classes from '#web/import/import.module.css'
import { outcomeLabels } from '#web/import/words.ts'
import { kinds } from '#web/kinds.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { RecordLink } from '#web/records/card/record-link.tsx'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import { AddOne } from './add-anyway.tsx'

type ImportedRowProps = { import: Import; row: ImportRow; fields: ImportFieldName[] }

/** A row exactly as it will be or is, with its outcome and everything that is wrong with it. */
export function ImportedRow({ import: shown, row, fields }: ImportedRowProps) {
  const { nameField, recordKind } = importKindNamed(shown.kind)
  const shownName = row.values[nameField]?.slice(0, 300) ?? ''
  const kind = kinds.find(({ name }) => name === (row.recordKind ?? recordKind))
  // A reverted import has deleted the records that it created.
  const isDeleted = recordKind !== undefined && shown.state === 'reverted' && row.outcome === 'created'
  return (
    <tr>
      <th scope="row">
        <span className={classes.rowNumber}>{row.row}</span>{' '}
        <span className={classes.rowName}>
          {kind && row.recordId !== undefined && !isDeleted ? (
            <RecordLink kind={kind} record={{ id: row.recordId, name: shownName }} isPlain={false} />
          ) : (
            <bdi>{shownName}</bdi>
          )}
        </span>
        <div className={classes.outcome}>
          {outcomeLabels[row.outcome]}
          {row.parts !== undefined && `, in ${row.parts} parts`}
          {row.faults.length > 0 && (
            <ul className={classes.faults}>
              {row.faults.map((fault, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: sentences can repeat
                <li key={at}>{sentenceOf(fault)}</li>
              ))}
            </ul>
          )}
          {row.canAdd && <AddOne import={shown} row={row} />}
        </div>
      </th>
      {fields.map((field) => (
        <td key={field}>
          <Value row={row} field={field} />
        </td>
      ))}
    </tr>
  )
}

/** A value of this length or with several lines is cut after a few lines, with "more". */
const SHORT = 60

function Value({ row, field }: { row: ImportRow; field: ImportFieldName }) {
  const value = row.values[field] ?? ''
  const text = field === 'date' && row.outcome !== 'refused' && value !== '' ? formatMoment(value) : value
  if (text === '') {
    const isUnrated = field === 'rating' && row.outcome === 'created'
    return isUnrated && <span className={classes.empty}>Not rated</span>
  }
  if (text.length <= SHORT && !text.includes('\n')) return <bdi>{text}</bdi>
  return (
    <div className={classes.longValue}>
      <ClampedText lines={3} subject={`row ${row.row}`}>
        {text}
      </ClampedText>
    </div>
  )
}

/** The sentence, with its column unless it begins with it. */
const sentenceOf = ({ column, sentence }: Fault) =>
  column === undefined || sentence.startsWith(column) ? sentence : `${column}: ${sentence}`
