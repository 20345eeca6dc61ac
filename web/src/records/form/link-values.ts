import { afterAdding } from '#contract/filled.ts'
import { cleaned, type LinkValues, linkStore } from '#web/filled/link-store.ts'
import { addPath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'

// The values of a link such as /founders/add#name=…&linkedIn=…&notes=…&tag=…&step=…&on=….

type Addressed = Pick<RecordKind, 'path' | 'addressField'>

/** The fields that a link may fill in. */
export const linkFields = ({ addressField }: Addressed) => ['name', addressField, 'notes']
const PROSE = ['notes']
const AFTERWARDS = { names: afterAdding, prose: [] }

/** What the record gets once it is added: a tag by its name, and a next step with its day. */
export type AfterAdding = { [Name in (typeof afterAdding)[number]]?: string }

const afterwards = (kind: Addressed) => `${addPath(kind)} afterwards`

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The values without a day that is none. */
export const withDay = (values: LinkValues): LinkValues =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => name !== 'on' || DAY.test(value)))

export const linkValues = {
  keep: (kind: Addressed, values: LinkValues) =>
    linkStore.keep(addPath(kind), cleaned({ names: linkFields(kind), prose: PROSE }, new Map(Object.entries(values)))),

  /** Null without a link. */
  of: (kind: Addressed) => linkStore.read(addPath(kind)) as LinkValues | null,

  /** Replaces what the next record of the kind gets once it is added. */
  keepAfter: (kind: Addressed, values: AfterAdding) =>
    linkStore.keep(afterwards(kind), withDay(cleaned(AFTERWARDS, new Map(Object.entries(values))))),

  /** Null without any. */
  afterOf: (kind: Addressed): AfterAdding | null => {
    const after = (linkStore.read(afterwards(kind)) ?? {}) as AfterAdding
    return Object.keys(after).length > 0 ? after : null
  },

  delete: (kind: Addressed) => linkStore.delete(addPath(kind)),
}
