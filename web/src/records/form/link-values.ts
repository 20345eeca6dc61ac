import { withStorage } from '#web/lib/storage.ts'
import { takeHash } from '#web/lib/take-hash.ts'
import { addPath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'

// The values of a link such as /founders/add#name=…&linkedIn=…&notes=…. They stay in this tab, also through a sign-in,
// until a form has them.

type LinkValues = Record<string, string>
type Addressed = Pick<RecordKind, 'path' | 'addressField'>

/** The fields that a link may fill in. */
const linkFields = ({ addressField }: Addressed) => ['name', addressField, 'notes']

const keyOf = ({ path }: Addressed) => `link:${path}`

/** In addition to storage, which may be full or blocked. */
const kept = new Map<string, string>()

export const linkValues = {
  /** Removes the values from the address of an add form, and stores them. */
  take: (kinds: readonly Addressed[]) => {
    const kindHere = () => kinds.find((kind) => addPath(kind) === location.pathname)
    const given = takeHash((values) => {
      const kind = kindHere()
      return kind !== undefined && linkFields(kind).some((field) => values.has(field))
    })
    const kind = kindHere()
    if (kind && given) linkValues.keep(kind, Object.fromEntries(given))
  },

  keep: (kind: Addressed, values: LinkValues) => {
    const fields = linkFields(kind).map((field) => [field, values[field] ?? ''] as const)
    const text = JSON.stringify(cleaned(fields))
    kept.set(keyOf(kind), text)
    withStorage(() => sessionStorage.setItem(keyOf(kind), text))
  },

  /** Null without a link. */
  of: (kind: Addressed): LinkValues | null => {
    const text = kept.get(keyOf(kind)) ?? withStorage(() => sessionStorage.getItem(keyOf(kind)))
    return JSON.parse(text ?? 'null')
  },

  delete: (kind: Addressed) => {
    kept.delete(keyOf(kind))
    withStorage(() => sessionStorage.removeItem(keyOf(kind)))
  },
}

/** Keeps fields with text that a person could type. The form says what is too long. */
const cleaned = (fields: (readonly [string, string])[]): LinkValues =>
  Object.fromEntries(
    fields.map(([field, value]) => [field, typeable(field, value)] as const).filter(([, value]) => value !== ''),
  )

const typeable = (field: string, value: string) => {
  const text = value.toWellFormed().replaceAll('\r\n', '\n')
  return (field === 'notes' ? text.replaceAll(/[^\P{Cc}\n]/gu, ' ') : text.replaceAll(/\p{Cc}+/gu, ' ')).trim()
}
