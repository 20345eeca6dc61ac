import { Radio } from '@mantine/core'
import { capital } from '#contract/plain-text.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { RecordAvatar } from '#web/records/record-avatar.tsx'
import { valueIn } from '#web/records/record-values.ts'
import { ClampedText } from '#web/ui/clamped-text.tsx'
import type { Both, Choices, Side } from './choices.ts'
import classes from './merge-form.module.css'

type ChoiceFieldProps = {
  field: string
  label: string
  kind: RecordKind
  both: Both
  /** Whether both values may be kept. */
  hasBoth: boolean
  value: Choices[string]
  onChange: (value: Side | 'both') => void
}

const PICTURE = 'profile_picture_url'

/** The choice of a value for a field in which both records differ. */
export const ChoiceField = ({ field, label, kind, both, hasBoth, value, onChange }: ChoiceFieldProps) => (
  <Radio.Group
    label={capital(label)}
    // No rating is fuller than another one.
    description={field === 'rating' ? 'The two ratings differ. Choose the one that holds.' : undefined}
    value={value}
    onChange={(value) => onChange(value as Side | 'both')}
  >
    <div className={classes.choices}>
      {(['first', 'second'] as const).map((side) => (
        <Radio
          iconColor="var(--on-filled)"
          key={side}
          value={side}
          classNames={{ root: classes.choice, body: classes.body, labelWrapper: classes.label }}
          label={
            field === PICTURE ? (
              <>
                <RecordAvatar
                  name={both[side].name}
                  tint={both.first.name}
                  picture={valueIn(both[side], field)}
                  size={40}
                  square={kind.isSquare}
                />
                <span className="visually-hidden">of {both[side].name}</span>
              </>
            ) : (
              <ClampedText lines={4} subject={`this ${label}`}>
                {valueIn(both[side], field)}
                {field === 'rating' && '/10'}
              </ClampedText>
            )
          }
        />
      ))}
      {hasBoth && (
        <Radio
          iconColor="var(--on-filled)"
          value="both"
          classNames={{ root: classes.choice, body: classes.body }}
          label="Both, one after the other"
        />
      )}
    </div>
  </Radio.Group>
)
