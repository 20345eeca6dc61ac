import { editableFields, isProse } from '#contract/fields.ts'
import { afterAdding, PROPOSALS_MAX, proposed } from '#contract/filled.ts'
import { cleaned, type LinkNames, type LinkValues, linkStore } from '#web/filled/link-store.ts'
import { takeHash } from '#web/lib/take-hash.ts'
import { addPath, paths, recordPath, UUID } from '#web/paths.ts'
import { linkFields, linkValues, withDay } from '#web/records/form/link-values.ts'
import type { RecordKind } from '#web/records/kind.ts'

/** A page whose forms a link may fill in. The id is null where a record is added. */
type Fillable = LinkNames & { kind: RecordKind; id: string | null }

/** The fields that a link may correct. */
export const correctableBy = ({ fields }: Pick<RecordKind, 'fields'>) => editableFields(fields, 'patch')

function fillableAt(kinds: readonly RecordKind[], path: string): Fillable | undefined {
  for (const kind of kinds) {
    if (path === addPath(kind))
      return { kind, id: null, names: [...linkFields(kind), ...afterAdding], prose: ['notes'] }
    const root = recordPath(kind, { id: '' })
    const id = path.slice(root.length)
    if (!path.startsWith(root) || !UUID.test(id)) continue
    const fields = correctableBy(kind)
    const prose = ['note', ...fields.filter(isProse).map(({ name }) => name)]
    return { kind, id: id.toLowerCase(), names: [...proposed, ...fields.map(({ name }) => name)], prose }
  }
  return undefined
}

/** A page of ours with the values that a link fills in there. */
export type FilledLink = { kind: RecordKind; id: string | null; address: string; values: LinkValues }

/** What a link within the product fills in; undefined if it fills in nothing. */
export function filledLink(kinds: readonly RecordKind[], link: string): FilledLink | undefined {
  const url = URL.parse(link, location.origin)
  const here = url?.origin === location.origin ? fillableAt(kinds, url.pathname) : undefined
  if (!url || !here) return undefined
  const values = withDay(cleaned(here, new URLSearchParams(url.hash.slice(1))))
  if (Object.keys(values).length === 0) return undefined
  const address = here.id === null ? addPath(here.kind) : recordPath(here.kind, { id: here.id })
  return { kind: here.kind, id: here.id, address, values }
}

/** Keeps the values for the page, which takes them when it is shown. */
export function keepLink({ kind, id, address, values }: FilledLink) {
  if (id !== null) return linkStore.keep(address, values)
  if (linkFields(kind).some((name) => values[name])) linkValues.keep(kind, values)
  linkValues.keepAfter(kind, values)
}

/** The addresses of a page of proposals, in the fragment of its own. */
export const PROPOSAL = 'to'

/** Removes the values from the address of the page, and keeps them for it. */
export function takeLink(kinds: readonly RecordKind[]) {
  const here = () => fillableAt(kinds, location.pathname)
  const isProposals = location.pathname === paths.proposals
  const given = takeHash((values) =>
    isProposals ? values.has(PROPOSAL) : (here()?.names.some((name) => values.has(name)) ?? false),
  )
  if (!given) return
  if (isProposals) return linkStore.keep(paths.proposals, given.getAll(PROPOSAL).slice(0, PROPOSALS_MAX))
  const link = filledLink(kinds, `${location.pathname}#${given}`)
  if (link) keepLink(link)
}
