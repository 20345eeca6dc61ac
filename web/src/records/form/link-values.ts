import { withStorage } from '#web/lib/storage.ts'
import { takeHash } from '#web/lib/take-hash.ts'
import { addPath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'

// The values of a link such as /founders/add#name=…&linkedIn=…&notes=…&tag=…&step=…&on=…. They stay in this tab, also through a sign-in,
// until a form has them.

type LinkValues = Record<string, string>
type Addressed = Pick<RecordKind, 'path' | 'addressField'>

/** The fields that a link may fill in. */
const linkFields = ({ addressField }: Addressed) => ['name', addressField, 'notes']

/** What the record gets once it is added: a tag by its name, and a next step with its day. */
const AFTERWARDS = ['tag', 'step', 'on'] as const
export type AfterAdding = { [Name in (typeof AFTERWARDS)[number]]?: string }

const keyOf = ({ path }: Addressed) => `link:${path}`

/** In addition to storage, which may be full or blocked. */
const kept = new Map<string, string>()

export const linkValues = {
  /** Removes the values from the address of an add form, and stores them. */
  take: (kinds: readonly Addressed[]) => {
    const kindHere = () => kinds.find((kind) => addPath(kind) === location.pathname)
    const given = takeHash((values) => {
      const kind = kindHere()
      return kind !== undefined && [...linkFields(kind), ...AFTERWARDS].some((field) => values.has(field))
    })
    const kind = kindHere()
    if (!kind || !given) return
    const values = Object.fromEntries(given)
    if (linkFields(kind).some((field) => given.has(field))) linkValues.keep(kind, values)
    linkValues.keepAfter(kind, values)
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

  /** Replaces what the next record of the kind gets once it is added. */
  keepAfter: (kind: Addressed, values: AfterAdding) => {
    const { on, ...after }: AfterAdding = cleaned(AFTERWARDS.map((name) => [name, values[name] ?? ''] as const))
    const text = JSON.stringify({ ...after, ...(on && /^\d{4}-\d{2}-\d{2}$/.test(on) && { on }) })
    kept.set(`${keyOf(kind)} afterwards`, text)
    withStorage(() => sessionStorage.setItem(`${keyOf(kind)} afterwards`, text))
  },

  /** Null without any. */
  afterOf: (kind: Addressed): AfterAdding | null => {
    const key = `${keyOf(kind)} afterwards`
    const after: AfterAdding = JSON.parse(kept.get(key) ?? withStorage(() => sessionStorage.getItem(key)) ?? '{}')
    return Object.keys(after).length > 0 ? after : null
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
