// The kinds of record. Each has its own folder on the server and in the web. Everything else loops over this list.

export const kinds = [
  { name: 'founder', path: 'founders', label: 'Founder', plural: 'Founders' },
  { name: 'company', path: 'companies', label: 'Company', plural: 'Companies' },
] as const

export type Kind = (typeof kinds)[number]
export type KindName = Kind['name']

export const kindNamed = <Name extends KindName>(name: Name) =>
  kinds.find((kind): kind is Extract<Kind, { name: Name }> => kind.name === name) as Extract<Kind, { name: Name }>
