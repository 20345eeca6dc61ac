import { Anchor, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { completeAddress, completeProfile } from '#contract/plain-text.ts'
import type { FieldsProps } from './record-form.ts'

type AddressFieldProps = FieldsProps & {
  name: 'linkedIn' | 'website'
  label: string
  description: string
  required?: boolean
}

const completions = { linkedIn: completeProfile, website: completeAddress }

/** A web address, completed with what it lacks. */
export function AddressField({ form, name, label, description, required = false }: AddressFieldProps) {
  const [completion, setCompletion] = useState<{ typed: string; completed: string }>()
  const text = String(form.values[name])
  const isCompleted = text === completion?.completed

  const complete = () => {
    const completed = completions[name](text)
    // Does not repeat a completion that was undone.
    if (completed === text || text === completion?.typed) return
    setCompletion({ typed: text, completed })
    form.setFieldValue(name, completed)
  }
  // Enter sends the form without leaving the field.
  const completeOnEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') complete()
  }

  return (
    <div>
      <TextInput
        label={label}
        description={description}
        required={required}
        type="url"
        inputMode="url"
        autoCapitalize="none"
        enterKeyHint="next"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps(name)}
        onKeyDown={completeOnEnter}
        onBlur={complete}
        rightSectionWidth={isCompleted ? 64 : undefined}
        rightSection={
          isCompleted && (
            <Anchor
              component="button"
              type="button"
              size="sm"
              fw={600}
              h={36}
              px={8}
              aria-label="Undo completing the address"
              onClick={() => form.setFieldValue(name, completion.typed)}
            >
              Undo
            </Anchor>
          )
        }
      />
      <span role="status" className="visually-hidden">
        {isCompleted && 'The address was completed'}
      </span>
    </div>
  )
}
