import { BULK_OTHERS_MAX } from '#contract/bulk.ts'
import { EXPORTED_MAX } from '#contract/export.ts'
import type { RightName } from '#contract/rights.ts'
import { UNUSED_TAGS_MAX } from '#contract/tags.ts'
import type { Account } from './auth/sessions/session.ts'
import { type AppError, forbidden } from './http/errors.ts'

// What the contract names, who may do it, and the sentence of the refusal. Acts on one record are in `records/policy.ts`.

export type HasRole = Pick<Account, 'role'>
type Caller = Pick<Account, 'id' | 'role'>

/** The role alone grants nothing. A right or a policy asks for it where it grants managers something. */
export const isManager = ({ role }: HasRole): boolean => role === 'manager'

/** A manager, and while the programme has none, anyone but an access token. */
export const actsAsManager = (account: HasRole, hasManager: boolean): boolean =>
  isManager(account) || (!hasManager && account.role !== 'token')

const anyone = (why: string) => ({ allows: (_account: HasRole) => true, why })
const manager = (why = 'Only a manager can do this') => ({ allows: isManager, why })
const actingManager = (why: string) => ({ allows: actsAsManager, why })

export const rights = {
  change: anyone('You can only read here'),
  programme: manager(),
  setUpPipeline: manager('Only a manager can change the stages and the reasons for passing'),
  advance: actingManager('Only a manager can set the status advanced, or take it back'),
  revealOpinions: manager(),
  overrule: manager(),
  exportAll: actingManager(
    `Only a manager can export all records. You can export My Records, and up to ${EXPORTED_MAX} records in 24 hours that a filter or a search shows.`,
  ),
  importNotes: manager('Only managers can import notes'),
  importCreation: manager('Only an import by a manager sets who has added a record, and when'),
  allImports: manager("Only managers can see everyone's imports"),
  allChanges: manager("Only managers can see everyone's changes"),
  undoMerges: manager('Only the fellow who merged these records, their first finders and managers can undo this'),
  undoBulk: manager('Only the fellow who changed these records and managers can undo this'),
  restoreRecords: manager('A manager or the operator can bring it back'),
  deleteNotes: manager('Only the fellow who wrote this note can delete it'),
  changeTags: manager('Only a manager can change a tag that others have created, or that records of others have'),
  changeMany: manager(`Only a manager can change more than ${BULK_OTHERS_MAX} records of others in 24 hours`),
  changeSearches: manager('Only the fellow who made this search and managers can change it'),
  addManyTags: manager(`Only a manager can add more than ${UNUSED_TAGS_MAX} tags that no record has`),
} satisfies Record<RightName, { allows: typeof actsAsManager; why: string }>

type Right = { allows: (account: HasRole) => boolean; why: string }

export const refusal = ({ why }: { why: string }): AppError => forbidden(why)

/** Whether an account has a right, or needs none, because the act is on something of its own. */
export const may = (account: Caller, { allows }: Right, ownerId?: string | null): boolean =>
  account.id === ownerId || allows(account)

/** The same for an act that changes something, which those who may only read are never offered. */
export const mayChange = (account: Caller, right: Right, ownerId?: string | null): boolean =>
  rights.change.allows(account) && may(account, right, ownerId)

/** Throws the refusal. */
export function authorize(account: Caller, right: Right, ownerId?: string | null): void {
  if (!may(account, right, ownerId)) throw refusal(right)
}
