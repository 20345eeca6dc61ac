import { z } from 'zod'
import { BULK_OTHERS_MAX } from './bulk.ts'
import { UNUSED_TAGS_MAX } from './tags.ts'

export const Right = z.object({
  allowed: z.boolean(),
  why: z.string().optional().describe('Why it is refused'),
  remaining: z.int().optional().describe('How many records the caller may still export, of what a filter shows'),
})

const right = (act: string) => Right.describe(act)

/** What the caller may do besides acts on one record, which its `can` has. */
export const Rights = z.object({
  change: right('Add records, and change what anyone may change'),
  programme: right('Run the programme: people, sign-up, figures, privacy, history and deleted records'),
  setUpPipeline: right('Change the stages and the reasons for passing'),
  advance: right('Set the status advanced, and take it back'),
  revealOpinions: right('Reveal the opinions on a record to everyone'),
  overrule: right('Keep an address although the person asked not to be kept'),
  exportAll: right('Export any records at once'),
  importNotes: right('Import notes'),
  importCreation: right('Set who has added a record, and when, by an import'),
  allImports: right('See and change the imports of others'),
  allChanges: right('See the imports, bulk acts and deletions of others among recent changes'),
  undoMerges: right('Undo merges of others, of records that others have found first'),
  undoBulk: right('Undo bulk acts of others'),
  restoreRecords: right('Bring back deleted records'),
  deleteNotes: right('Delete notes of others'),
  changeTags: right('Rename and delete tags that others have created, or that records of others have'),
  changeMany: right(`Change more than ${BULK_OTHERS_MAX} records of others in bulk in 24 hours`),
  changeSearches: right('Change, share and delete the shared searches of others'),
  addManyTags: right(`Add more than ${UNUSED_TAGS_MAX} tags that no record has`),
})
export type Rights = z.infer<typeof Rights>
export type RightName = keyof Rights

/** For one release, of the calls that `GET /api/rights` replaces. */
export const ExportRights = z.object({ all: z.boolean(), remaining: z.int().optional() })
export const PipelineRights = z.object({ advance: z.boolean() })
