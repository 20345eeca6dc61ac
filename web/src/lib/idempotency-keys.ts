import { type DraftPlace, drafts } from './drafts.ts'

/**
 * The idempotency key of a form. It stays the same until it is deleted, also after a reload, so that sending the form
 * again after a lost response creates nothing twice.
 */
export const idempotencyKeys = {
  of: (thing: DraftPlace): string => {
    const place = placeOf(thing)
    const kept = drafts.read(place)
    if (typeof kept === 'string') return kept
    const key = newKey()
    drafts.keep(place, key)
    return key
  },

  delete: (thing: DraftPlace) => drafts.discard(placeOf(thing)),
}

const placeOf = ({ account, form }: DraftPlace): DraftPlace => ({ account, form: `key of ${form}` })

/** Not `randomUUID`, which browsers offer over https only. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
