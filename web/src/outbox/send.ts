import type { QueryClient } from '@tanstack/react-query'
import { kinds } from '#web/kinds.ts'
import { delay } from '#web/lib/delay.ts'
import { ownerOf } from '#web/lib/drafts.ts'
import { ApiError, isOtherAccount, sentenceOf } from '#web/lib/http.ts'
import { listsKey, postRecord } from '#web/records/api.ts'
import { truncateLists } from '#web/records/cache/list-cache.ts'
import { showAdded } from '#web/records/form/added-toasts.ts'
import { checkSession } from '#web/session/api.ts'
import { applyAfterAdding } from './apply-after-adding.ts'
import { withFormLock } from './lock.ts'
import { type WaitingForm, waitingForms } from './waiting-forms.ts'

const RETRY_MS = 500
const AGAIN_MS = 30_000
/** Browsers report a network before it works. */
const UNREACHED_MS = 3000

const untilReached = () => (navigator.onLine ? UNREACHED_MS : AGAIN_MS)

/** The server, or a proxy in front of it, cannot take calls now. */
const NOT_NOW = [429, 502, 503, 504]

/** The server asked to send nothing before this moment of the page's own clock. */
let restsUntil = 0

/** The server remembers a key for a day. After that, an attempt whose response was lost could add the record twice. */
const KEY_LASTS_MS = 23 * 3_600_000

const MAY_BE_SAVED =
  'This may have been saved before the connection was lost. Look for it in the list before you send it.'
const FAILED = "We couldn't send this. Try again in a moment."

/** Sends what waits, oldest first. Returns the time until the next attempt. */
export async function sendWaiting(client: QueryClient, account: string): Promise<number> {
  const rest = restsUntil - performance.now()
  if (rest > 0) return rest
  for (const { id, refusal } of waitingForms.list(account)) {
    if (refusal !== undefined) continue
    let wait = 0
    await withFormLock(account, id, async () => {
      // Another tab may have sent, changed or discarded it.
      const form = waitingForms.get(account, id)
      if (form && form.refusal === undefined) wait = await sendForm(client, account, form)
    })
    if (wait > 0) return wait
  }
  return AGAIN_MS
}

/** Returns how long to wait before anything else is sent. */
async function sendForm(client: QueryClient, account: string, form: WaitingForm): Promise<number> {
  const kind = kinds.find(({ name }) => name === form.kind)
  if (!kind) return 0
  const refuse = (refusal: string) => waitingForms.keep(account, { ...form, triedAt: undefined, refusal })
  if (form.triedAt !== undefined && Date.now() - form.triedAt > KEY_LASTS_MS) {
    refuse(MAY_BE_SAVED)
    return 0
  }
  if (!(await isSignedInAs(client, account))) return untilReached()
  const tried = { ...form, triedAt: form.triedAt ?? Date.now() }
  // A tab that is closed in the middle leaves behind that there was an attempt.
  waitingForms.keep(account, tried)
  try {
    const created = await postRecord(kind, form).catch(async (failure) => {
      if (!(failure instanceof ApiError) || failure.status !== 500) throw failure
      await delay(RETRY_MS)
      return postRecord(kind, form)
    })
    waitingForms.delete(account, form.id)
    showAdded(kind, created)
    if (form.after) await applyAfterAdding(client, kind, created, form.after)
    truncateLists(client, kind)
    void client.invalidateQueries({ queryKey: listsKey(kind) })
    return 0
  } catch (failure) {
    const { status, retryAfterSeconds } = failure instanceof ApiError ? failure : new ApiError(500, {})
    if (status === 0) return untilReached()
    // The server has not looked at the form.
    const isAnothers = status === 401 || isOtherAccount(failure)
    if (isAnothers || status === 429) waitingForms.keep(account, form)
    if (isAnothers) return AGAIN_MS
    if (NOT_NOW.includes(status)) {
      const wait = retryAfterSeconds === undefined ? AGAIN_MS : retryAfterSeconds * 1000
      restsUntil = performance.now() + wait
      return wait
    }
    if (status < 500) refuse(refusalOf(failure))
    else waitingForms.keep(account, { ...tried, refusal: sentenceOf(failure, FAILED) })
    return 0
  }
}

/** False without a network too. Another tab may have signed in, to this account or to another one. */
const isSignedInAs = (client: QueryClient, owner: string) =>
  checkSession(client, { open: true }).then(
    ({ account = '', signIn = '' }) => ownerOf({ account, signIn }) === owner,
    () => false,
  )

/** The sentences at the fields, or else that of the response. */
const refusalOf = (failure: unknown) =>
  (failure instanceof ApiError && Object.values(failure.fields).join(' ')) || sentenceOf(failure, FAILED)
