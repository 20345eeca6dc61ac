import type { QueryClient } from '@tanstack/react-query'
import { fieldOf } from '#contract/fields.ts'
import type { RecordPatch } from '#contract/record.ts'
import { kinds } from '#web/kinds.ts'
import { type Draft, drafts } from '#web/lib/drafts.ts'
import { post } from '#web/lib/http.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { openEdits } from '#web/my-records/edit-draft.ts'
import { sendWaiting } from '#web/outbox/send.ts'
import { countForms, type SignIn, waitingForms } from '#web/outbox/waiting-forms.ts'
import { type Correction, correctRecord } from '#web/record-page/api.ts'
import { postRecord, updateRecord } from '#web/records/api.ts'
import { type FormValues, patchOf } from '#web/records/form/record-form.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { Question } from '#web/ui/dialogs/confirm.ts'

/** Sends the forms that wait and the text of this tab that was not saved. False if something is left. */
export async function sendUnsaved(client: QueryClient, owner: string, signIn: SignIn): Promise<boolean> {
  for (const form of waitingForms.listEarlier(signIn)) waitingForms.take(owner, form)
  for (const form of waitingForms.list(owner)) waitingForms.keep(owner, { ...form, refusal: undefined })
  await sendWaiting(client, owner)
  for (const draft of drafts.list(owner)) await sendDraft(owner, draft).catch(() => {})
  return waitingForms.list(owner).length === 0 && !drafts.hasTyped(signIn.account)
}

async function sendDraft(account: string, { form, values, about }: Draft): Promise<void> {
  const kind = kinds.find(({ name }) => name === about.kind)
  if (!kind) return
  const place = { account, form }
  const key = idempotencyKeys.of(place)
  if (about.what === 'form') await postRecord(kind, { values: values as FormValues, key })
  else if (about.what === 'note') await post(form, { content: (values as { text: string }).text }, { key })
  else if (!about.id || !(await sendChange(kind, about.id, form, values))) return
  drafts.discard(place)
  idempotencyKeys.delete(place)
  if (about.what === 'change' && about.id) openEdits.end(account, kind, about.id)
}

/** A corrected field, or an edit of notes and rating. False for any other text. */
async function sendChange(kind: RecordKind, id: string, form: string, values: unknown): Promise<boolean> {
  if (form === `edit ${id}`) {
    const edit = values as { values: FormValues; version: number }
    await updateRecord(kind, id, { ...patchOf(edit.values), version: edit.version } as RecordPatch)
    return true
  }
  const field = fieldOf(kind.fields, form.replace(`correct ${id} `, ''))
  if (!field) return false
  await correctRecord(kind, id, { ...(values as Omit<Correction, 'field'>), field })
  return true
}

export const [DISCARD, KEEP, SEND] = ['Discard', 'Keep on this device', 'Send now']

/** What becomes of what was not sent. */
export const questionAbout = (count: number, isTyped: boolean): Question => ({
  title: [...(count > 0 ? [`${countForms(count)} waiting to be sent`] : []), ...(isTyped ? ['Unsaved text'] : [])].join(
    ' · ',
  ),
  text: 'Before you sign out: send it, or keep it on this device. What is kept is offered to you alone, when you sign in here again.',
  answers: [{ label: DISCARD, isDanger: true }, { label: KEEP }, { label: SEND }],
})
