import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Radio } from '@mantine/core'
import { formatDay } from '#web/lib/dates.ts'
import { countNotes } from '#web/notes/api.ts'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { Both, Side } from './choices.ts'
import classes from './merge-form.module.css'

type SurvivorFieldProps = { kind: RecordKind; both: Both; value: Side; onChange: (value: Side) => void }

/** The choice of the record to keep. */
export const SurvivorField = ({ kind, both, value, onChange }: SurvivorFieldProps) => (
  <Radio.Group
    label="Record that stays"
    description="The other one is merged into it."
    value={value}
    onChange={(value) => onChange(value as Side)}
  >
    <div className={classes.choices}>
      {(['first', 'second'] as const).map((side) => (
        <Radio
          iconColor="var(--on-filled)"
          key={side}
          value={side}
          classNames={{ root: classes.choice, body: classes.body, labelWrapper: classes.label }}
          label={<SideOf kind={kind} both={both} side={side} />}
        />
      ))}
    </div>
  </Radio.Group>
)

type BothProps = { kind: RecordKind; both: Both }

/** Both records, without a choice. */
export const Sides = ({ kind, both }: BothProps) => (
  <ul className={classes.sides} aria-label="Both records">
    {(['first', 'second'] as const).map((side) => (
      <li key={side}>
        <SideOf kind={kind} both={both} side={side} />
      </li>
    ))}
  </ul>
)

/** The face of a record, its creator and its number of notes. Both have one tint. */
const SideOf = ({ kind, both, side }: BothProps & { side: Side }) => {
  const record = both[side]
  return (
    <span className={classes.record}>
      <RecordAvatar
        name={record.name}
        tint={both.first.name}
        picture={kind.brief(record).picture}
        size={40}
        square={kind.isSquare}
      />
      <span className={classes.recordText}>
        <bdi className={classes.name}>{record.name}</bdi>
        <span className={classes.meta}>
          Added{' '}
          {record.createdBy !== null && (
            <>
              by <bdi>{record.createdBy}</bdi> ·{' '}
            </>
          )}
          <time dateTime={record.createdAt}>{formatDay(record.createdAt)}</time> · {countNotes(record.notesCount)}
        </span>
      </span>
    </span>
  )
}
