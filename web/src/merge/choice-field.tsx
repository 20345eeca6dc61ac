import { Radio } from '@mantine/core'
import type { Field } from '#contract/fields.ts'
import { capital } from '#contract/plain-text.ts'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import type { Both, Choices, Difference, Side } from './choices.ts'
import classes from './merge-form.module.css'

type ValuesProps = {
  field: Field
  /** Its two values. */
  values: Pick<Difference, Side>
  kind: RecordKind
  both: Both
}

type ChoiceFieldProps = ValuesProps & {
  /** Whether both values may be kept. */
  hasBoth: boolean
  value: Choices[string]
  onChange: (value: Side | 'both') => void
}

/** The choice of a value for a field in which both records differ. */
export const ChoiceField = ({ field, values, kind, both, hasBoth, value, onChange }: ChoiceFieldProps) => (
  <Radio.Group
    label={capital(field.label)}
    // No rating is fuller than another one.
    description={field.name === 'rating' ? 'The two ratings differ. Choose the one that holds.' : undefined}
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
          label={<ValueOf field={field} side={side} values={values} kind={kind} both={both} />}
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

type FixedFieldProps = ValuesProps & { kept: Choices[string] }

/** Both values of a field, for who may not choose, and which of them is lost. */
export const FixedField = ({ kept, ...props }: FixedFieldProps) => (
  <fieldset className={classes.fixed}>
    <legend className={classes.fixedLabel}>{capital(props.field.label)}</legend>
    <div className={classes.choices}>
      {(['first', 'second'] as const).map((side) => {
        const isKept = kept === side || kept === 'both'
        return (
          <div key={side} className={classes.fixedValue} data-kept={isKept || undefined}>
            <ValueOf {...props} side={side} />
            <span className={classes.meta}>{isKept ? 'Kept' : 'Not kept'}</span>
          </div>
        )
      })}
    </div>
  </fieldset>
)

const ValueOf = ({ field, values, kind, both, side }: ValuesProps & { side: Side }) =>
  field.content === 'picture' ? (
    <>
      <RecordAvatar
        name={both[side].name}
        tint={both.first.name}
        picture={values[side]}
        size={40}
        square={kind.isSquare}
      />
      <span className="visually-hidden">of {both[side].name}</span>
    </>
  ) : (
    <ClampedText lines={4} subject={`this ${field.label}`}>
      {values[side]}
      {field.name === 'rating' && '/10'}
    </ClampedText>
  )
