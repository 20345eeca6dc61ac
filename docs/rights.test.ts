import { expect, it } from 'vitest'
import { type RightName, Rights } from '#contract/rights.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { NOT_YOURS_TO_EDIT, type Ownership, rightsOf } from '#server/records/policy.ts'
import { rights } from '#server/rights.ts'

// docs/rights.md has what the code allows. `npx vitest run --project unit docs/rights.test.ts -u` writes it.

const word = (isAllowed: boolean) => (isAllowed ? 'yes' : 'no')
const tableOf = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const [fellow, manager] = [{ role: 'fellow' }, { role: 'manager' }] as const

const ofProgramme = (Object.keys(rights) as RightName[]).map((name) => {
  const { allows, why } = rights[name]
  const allowed = [allows(manager, true), allows(fellow, true), allows(fellow, false)].map(word)
  return [`\`${name}\``, Rights.shape[name].description ?? '', ...allowed, why]
})

const account = (id: string, role: Account['role'] = 'fellow') =>
  ({ id, role, name: id, email: '', emailVerified: true }) satisfies Account

const plain: Ownership = {
  ...{ ownerId: 'owner', hasOwnerLeft: false, isMember: false },
  ...{ responsibleId: null, isUnited: false, hasManager: true },
}

/** Each caller of a record, and what makes them that. */
const callers: [name: string, caller: Account, record: Partial<Ownership>][] = [
  ['its creator', account('owner'), { isMember: true }],
  ['has it in My Records', account('other'), { isMember: true }],
  ['responsible', account('other'), { responsibleId: 'other' }],
  ['another fellow', account('other'), {}],
  ['manager', account('other', 'manager'), {}],
]

const ofRecord = (
  [
    ['Edit', 'edit', {}],
    ['Delete', 'delete', {}],
    ['Delete, if it unites records of several first finders', 'delete', { isUnited: true }],
    ['Delete, if its creator has left', 'delete', { hasOwnerLeft: true }],
    ['the same without a manager', 'delete', { hasOwnerLeft: true, hasManager: false }],
    ['Delete, if its creator is unknown', 'delete', { ownerId: null }],
    ['the same without a manager', 'delete', { ownerId: null, hasManager: false }],
  ] as [act: string, right: 'edit' | 'delete', record: Partial<Ownership>][]
).map(([act, right, record]) => {
  const hasOwner = record.ownerId !== null && !record.hasOwnerLeft
  const isManaged = record.hasManager ?? true
  const found = callers.map(([, caller, relation]) => rightsOf(caller, { ...plain, ...relation, ...record }))
  const isThere = [hasOwner, true, true, true, isManaged]
  const cells = found.map((can, at) => (isThere[at] ? word(can[right]) : ''))
  const reasons = found.flatMap((can) => (right === 'edit' ? NOT_YOURS_TO_EDIT : (can.whyNotDelete ?? [])))
  return [act, ...cells, [...new Set(reasons)].join('<br>')]
})

it('docs/rights.md says what the code allows', async () => {
  const text = `# Who may do what

\`docs/rights.test.ts\` generates this page from \`server/rights.ts\` and \`server/records/policy.ts\`. Everything that is
not listed is for anyone signed in.

## Rights

\`GET /api/rights\` sends these to the page, by their names.

${tableOf(['Right', 'What', 'Manager', 'Fellow', 'Fellow, while there is no manager', 'Refusal'], ofProgramme)}

## Rights on a record

Each record has them in \`can\`. My Records has what one has created, also found or written a note on.

${tableOf(['Act', ...callers.map(([name]) => name), 'Refusal'], ofRecord)}
`
  await expect(text).toMatchFileSnapshot('rights.md')
})
