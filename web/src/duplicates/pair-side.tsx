import { IconEqualNot } from '@tabler/icons-react'
import type { Field } from '#contract/fields.ts'
import { finderSentence } from '#web/finders/finder-words.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Rating } from '#web/records/card/rating.tsx'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { valueIn } from '#web/records/record-values.ts'
import { shortAddress, webLink } from '#web/records/web-links.ts'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import type { PairSide as Side } from './api.ts'
import classes from './pair-card.module.css'

type PairSideProps = {
  kind: RecordKind
  record: Side
  /** Both sides have the same tint, by this name. */
  tint: string
  /** Whether the other one has another name. */
  isRenamed: boolean
  fields: { key: string; field: Field; label: string; isDifferent: boolean }[]
}

/** One of two records: its face, its finders, and each field that either of them has. */
export const PairSide = ({ kind, record, tint, isRenamed, fields }: PairSideProps) => (
  <article className={classes.side} aria-label={record.name}>
    <div className={classes.face}>
      <RecordAvatar
        name={record.name}
        tint={tint}
        picture={kind.brief(record).picture}
        size={56}
        square={kind.isSquare}
      />
      <div className={classes.who}>
        <h3 className={classes.name}>
          <RecordLink kind={kind} record={record} />
          {isRenamed && <Differs />}
        </h3>
        <p className={classes.found}>
          <bdi>{finderSentence(record.finders)}</bdi> ·{' '}
          <time dateTime={record.createdAt}>{formatDay(record.createdAt)}</time>
        </p>
      </div>
    </div>
    <dl className={classes.fields}>
      {fields.map(({ key, field, label, isDifferent }) => (
        <div key={key} className={classes.field} data-different={isDifferent || undefined}>
          <dt className={classes.label}>
            {label}
            {isDifferent && <Differs />}
          </dt>
          <dd className={classes.value}>
            <Value record={record} field={field} label={label} />
          </dd>
        </div>
      ))}
    </dl>
  </article>
)

const Differs = () => (
  <>
    {' '}
    <IconEqualNot size={14} aria-hidden="true" className={classes.mark} />
    <span className="visually-hidden">(differs)</span>
  </>
)

const Value = ({ record, field, label }: { record: Side; field: Field; label: string }) => {
  const value = valueIn(record, field)
  if (value === '') return <span className={classes.nothing}>—</span>
  if (field.name === 'rating') return <Rating record={record} />
  const link = field.content === 'address' ? webLink(value) : undefined
  return (
    <ClampedText lines={3} subject={`the ${label.toLowerCase()} of ${record.name}`}>
      {link ? (
        <a href={link} target="_blank" rel="noopener noreferrer" className={classes.link}>
          {shortAddress(value)}
        </a>
      ) : (
        value
      )}
    </ClampedText>
  )
}
