import { Textarea, TextInput } from '@mantine/core'
import type { Kind } from '#contract/kinds.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { duplicateQuery } from './api.ts'
import { DuplicateHint } from './duplicate-hint.tsx'
import { RatingInput } from './rating-input.tsx'
import type { FieldsProps } from './record-form.ts'
import { useDuplicateCheck } from './use-duplicate-check.ts'

// The form fields that all kinds of record share.

export const NameField = ({ form }: FieldsProps) => (
  <TextInput ref={focusWhenShown} label="Name" required autoComplete="off" {...form.getInputProps('name')} />
)

type AddressFieldProps = FieldsProps & {
  kind: Kind
  name: 'linkedIn' | 'website'
  label: string
  description: string
  required?: boolean
}

/** A web address, with a hint if another record has it already. */
export function AddressField({ form, kind, name, label, description, required = false }: AddressFieldProps) {
  const { duplicate, leave } = useDuplicateCheck((address) => duplicateQuery(kind, name, address), form.values[name])
  return (
    <div>
      <TextInput
        label={label}
        description={description}
        required={required}
        type="url"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps(name)}
        onBlur={leave}
      />
      <DuplicateHint kind={kind} duplicate={duplicate} />
    </div>
  )
}

export const NotesField = ({ form, mode, description }: FieldsProps & { description: string }) => (
  <Textarea
    label={mode === 'conflict' ? 'Your notes' : 'Notes'}
    {...(mode === 'add' && { description, required: true })}
    classNames={{ input: 'growing' }}
    {...form.getInputProps('notes')}
  />
)

export const RatingField = ({ form, mode }: FieldsProps) => (
  <RatingInput
    label={mode === 'conflict' ? 'Your rating' : 'Rating'}
    {...(mode === 'add' && { description: 'Your first impression, from 1 to 10. It can be changed later.' })}
    value={Number(form.values.rating)}
    error={form.errors.rating}
    onChange={(rating) => form.setFieldValue('rating', rating)}
  />
)
