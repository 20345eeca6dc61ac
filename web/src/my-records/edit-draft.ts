import { drafts } from '#web/lib/drafts.ts'
import type { FormValues } from '#web/records/record-form.ts'

/** The values in the form of a card, and the version of the record that they are based on. */
type EditDraft = { values: FormValues; version: number }

const placeOf = (account: string, id: string) => ({ account, form: `edit ${id}` })

export const editDraft = {
  /** Undefined if there is none, or if its fields differ from `fields`, as after an update of the product. */
  read: (account: string, id: string, fields: FormValues): EditDraft | undefined => {
    const { values, version } = (drafts.read(placeOf(account, id)) ?? {}) as Partial<EditDraft>
    const isWhole = Object.entries(fields).every(([name, value]) => typeof values?.[name] === typeof value)
    return values && isWhole && typeof version === 'number' ? { values, version } : undefined
  },
  keep: (account: string, id: string, draft: EditDraft) => drafts.keep(placeOf(account, id), draft),
  discard: (account: string, id: string) => drafts.discard(placeOf(account, id)),
}
