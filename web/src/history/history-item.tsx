import { Button } from '@mantine/core'
import type { HistoryEntry } from '#contract/history.ts'
import type { Kind } from '#contract/kinds.ts'
import { OTHER_RECORD } from '#contract/plain-text.ts'
import { formatAgo, formatMoment } from '#web/lib/dates.ts'
import { RecordLink } from '#web/records/card/record-link.tsx'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import type { HistorySubject } from './api.ts'
import classes from './history-item.module.css'
import { otherKindOf, PRODUCT, remarkOf, type ShownChange, shownChanges } from './history-words.ts'
import { type PutBack, restorable } from './put-back.ts'

/** Longer values are stacked and collapsed. */
const LONG = 60

type HistoryItemProps = {
  entry: HistoryEntry
  of: HistorySubject
  /** Set for a merge that can be undone. */
  onUndo?: (() => void) | undefined
  isBusy: boolean
  putBack: PutBack | undefined
}

export const HistoryItem = ({ entry, of, onUndo, isBusy, putBack }: HistoryItemProps) => {
  const changes = shownChanges(entry, of.kind.fields)
  const remark = remarkOf(entry)
  return (
    <li className={classes.root} data-action={entry.action}>
      <p className={classes.action}>
        <bdi className={classes.who}>{entry.by ?? PRODUCT}</bdi>
        {entry.token !== undefined && (
          <>
            , by the token "<bdi>{entry.token}</bdi>",
          </>
        )}{' '}
        <Action entry={entry} of={of} />{' '}
        <time className={classes.time} dateTime={entry.at} title={formatMoment(entry.at)}>
          {formatAgo(entry.at)}
        </time>
      </p>
      {remark && <p className={classes.remark}>{remark}</p>}
      {changes.length > 0 && (
        <dl className={classes.changes}>
          {changes.map((change) => (
            <Change key={change.label} change={change} isNote={entry.action === 'add-note'} of={of} putBack={putBack} />
          ))}
        </dl>
      )}
      {onUndo && (
        <Button variant="default" size="xs" className={classes.undo ?? ''} disabled={isBusy} onClick={onUndo}>
          Undo merge
        </Button>
      )}
    </li>
  )
}

const Action = ({ entry, of }: Pick<HistoryItemProps, 'entry' | 'of'>) => {
  const [start, end] = entry.sentence.split(OTHER_RECORD)
  return (
    <>
      {start}
      {end !== undefined && <Other other={entry.other} kind={otherKindOf(entry, of)} />}
      {end}
    </>
  )
}

const Other = ({ other, kind }: { other: HistoryEntry['other']; kind: Kind | undefined }) => {
  if (!other || other.name === null) return 'a deleted record'
  const { id, name } = other
  return kind ? <RecordLink kind={kind} record={{ id, name }} isPlain={false} /> : <bdi>{name}</bdi>
}

type ChangeProps = { change: ShownChange; isNote: boolean; of: HistorySubject; putBack: PutBack | undefined }

const Change = ({ change, isNote, of, putBack }: ChangeProps) => {
  const { label, before, after, source } = change
  const isLong = [before, after].some((value) => value !== null && (value.length > LONG || value.includes('\n')))
  return (
    <div className={classes.change} data-long={isLong || isNote || undefined}>
      <dt className={isNote ? 'visually-hidden' : classes.label}>{label}</dt>
      <dd className={classes.values}>
        {before !== null && <Value words="Before" value={before} isLong={isLong} label={label} />}
        {before !== null && after !== null && (
          <span className={classes.arrow} aria-hidden="true">
            {isLong ? '↓' : '→'}
          </span>
        )}
        {after !== null && <Value words={before === null ? '' : 'After'} value={after} isLong={isLong} label={label} />}
        {before === null && after === null && 'updated'}
        {putBack && <PutBackButton change={change} of={of} putBack={putBack} />}
        {source !== undefined && <span className={classes.source}>from {source}</span>}
      </dd>
    </div>
  )
}

type PutBackButtonProps = Pick<ChangeProps, 'change' | 'of'> & { putBack: PutBack }

/** Absent for a value that the record has now, and for a field that no person may edit. */
const PutBackButton = ({ change, of, putBack }: PutBackButtonProps) => {
  const old = restorable(change.of, putBack.record, of.kind.fields)
  if (!old) return null
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      className={classes.putBack ?? ''}
      disabled={putBack.isBusy}
      onClick={() => putBack.start(old.field, old.before)}
    >
      Put back
      <span className="visually-hidden">
        {' '}
        {old.before === ''
          ? `the empty ${change.label.toLowerCase()}`
          : `${change.label.toLowerCase()} “${old.before}”`}
      </span>
    </Button>
  )
}

type ValueProps = { words: '' | 'Before' | 'After'; value: string; isLong: boolean; label: string }

const Value = ({ words, value, isLong, label }: ValueProps) => {
  const shown = (
    <>
      {words && <span className="visually-hidden">{words}: </span>}
      {value}
    </>
  )
  if (!isLong)
    return (
      <bdi className={classes.value} data-before={words === 'Before' || undefined}>
        {shown}
      </bdi>
    )
  return (
    <div className={classes.block} data-before={words === 'Before' || undefined}>
      <ClampedText lines={4} subject={`${label.toLowerCase()} ${words.toLowerCase()}`.trim()}>
        {shown}
      </ClampedText>
    </div>
  )
}
