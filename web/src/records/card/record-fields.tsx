import { Textarea, TextInput } from '@mantine/core'
import { RatingInput } from '#web/records/form/rating-input.tsx'
import type { FieldsProps } from '#web/records/form/record-form.ts'
import { focusWhenShown } from '#web/ui/focus.ts'

// The form fields that all kinds of record share.

export const NameField = ({ form, similar, takesFocus = true }: FieldsProps) => (
  <div>
    <TextInput
      ref={takesFocus ? focusWhenShown : null}
      label="Name"
      required
      autoComplete="off"
      autoCapitalize="words"
      enterKeyHint="next"
      {...form.getInputProps('name')}
    />
    {similar}
  </div>
)

export const NotesField = ({ form, mode, description }: FieldsProps & { description: string }) => (
  <Textarea
    label={mode === 'conflict' ? 'Your notes' : 'Notes'}
    {...(mode === 'add' && { description, required: true })}
    autoCapitalize="sentences"
    enterKeyHint="enter"
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
