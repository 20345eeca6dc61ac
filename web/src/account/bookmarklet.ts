import { addPath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'

/**
 * A bookmark that opens the add form with the title, the address and the selected text of the open page. On
 * LinkedIn it reads only the title and the address. An address that the form has no field for goes into the notes.
 * Nothing is shortened: the form says what is too long.
 */
export const bookmarklet = (kind: Pick<RecordKind, 'path' | 'addressField'>, origin: string) => {
  const code = `(() => {
const isLinkedIn = /(^|\\.)linkedin\\.com$/.test(location.hostname)
const address = isLinkedIn ? location.origin + location.pathname : location.href
const selected = isLinkedIn ? '' : String(getSelection()).trim()
const isOfField = isLinkedIn === ${kind.addressField === 'linkedIn'}
const values = new URLSearchParams({ name: document.title.replace(/^\\(\\d+\\) | \\| LinkedIn$/g, '') })
if (isOfField) values.set('${kind.addressField}', address)
values.set('notes', isOfField ? selected : [selected, address].filter(Boolean).join('\\n\\n'))
open('${origin}${addPath(kind)}#' + values, '_blank', 'noopener,noreferrer')
})()`
  return `javascript:${encodeURIComponent(code)}`
}
