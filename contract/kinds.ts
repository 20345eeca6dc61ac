// The kinds of record. Each has its own folder on the server and in the web. Everything else loops over this list.

/** `linkedTo` is the kind of the records to which those of a kind are linked. */
export const kinds = [
  { name: 'founder', path: 'founders', label: 'Founder', plural: 'Founders', isPerson: true, linkedTo: 'company' },
  { name: 'company', path: 'companies', label: 'Company', plural: 'Companies', isPerson: false, linkedTo: 'founder' },
] as const

export type Kind = (typeof kinds)[number]
export type KindName = Kind['name']

export const kindNames = kinds.map(({ name }) => name)

/** The kinds whose records are linked. */
export type LinkedKindName = Extract<KindName, Kind['linkedTo']>

/** The kind of record that is a person. */
export const PERSON = kinds[0]

export const kindNamed = <Name extends KindName>(name: Name) =>
  kinds.find((kind): kind is Extract<Kind, { name: Name }> => kind.name === name) as Extract<Kind, { name: Name }>
