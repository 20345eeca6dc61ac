import { expect, it } from 'vitest'
import { deletionText } from './use-record-changes.ts'

it.each(['founder', 'company'] as const)(
  'The question before a %s is deleted names it, and says that it can be brought back',
  (name) => {
    const text = deletionText({ name }, 'Ada')
    expect(text).toContain(`permanently deletes the ${name} “Ada”`)
    expect(text).toContain('can bring it back for 30 days')
    expect(text).not.toContain('undone')
  },
)
