import type { QueryClient } from '@tanstack/react-query'
import type { RecordPatch } from '#contract/record.ts'
import { kinds } from '#web/kinds.ts'
import { type Draft, drafts } from '#web/lib/drafts.ts'
import { post } from '#web/lib/http.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { openEdits } from '#web/my-records/edit-draft.ts'
import { noteIn } from '#web/notes/note-draft.ts'
import { inputOf } from '#web/notes/typed-note.ts'
import { sendWaiting } from '#web/outbox/send.ts'
import { countForms, type SignIn, waitingForms } from '#web/outbox/waiting-forms.ts'
import { correctRecord, type Texts } from '#web/record-page/api.ts'
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
  else if (about.what === 'note') await post(form, inputOf(noteIn(values)), { key })
  else if (!about.id || !(await sendChange(kind, about.id, form, values))) return
  drafts.discard(place)
  idempotencyKeys.delete(place)
  if (about.what === 'change' && about.id) openEdits.end(account, kind, about.id)
}

/** An edit of notes and rating, corrected fields, or one of them. False for any other text. */
async function sendChange(kind: RecordKind, id: string, form: string, values: unknown): Promise<boolean> {
  if (form === `edit ${id}`) {
    const edit = values as { values: FormValues; version: number }
    await updateRecord(kind, id, { ...patchOf(edit.values), version: edit.version } as RecordPatch)
    return true
  }
  if (form === `correct ${id}`) {
    const { values: texts, was, version } = values as { values: Texts; was: Texts; version: number }
    await correctRecord(kind, id, { texts, was, version })
    return true
  }
  const name = kind.fields.find(({ name }) => form === `correct ${id} ${name}`)?.name
  if (name === undefined) return false
  const { text, was, version } = values as { text: string; was: string; version: number }
  await correctRecord(kind, id, { texts: { [name]: text }, was: { [name]: was }, version })
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
