import type { LiveEvent } from '#contract/live.ts'
import { companyKey, companyNotes } from '#web/companies/api.ts'
import { dashboard } from '#web/dashboard/api.ts'
import { founderKey, founderNotes } from '#web/founders/api.ts'
import type { Concern } from '#web/live/batched.ts'
import { myNotes } from '#web/my-records/api.ts'
import { notesKey } from '#web/notes/api.ts'

const kinds = {
  founder: { all: founderKey, notes: founderNotes },
  company: { all: companyKey, notes: companyNotes },
}

/** What on the page an event of the live stream makes stale. */
export const concernOf = (event: LiveEvent): Concern => {
  if (event.kind === 'everything') return 'everything'
  const { all, notes } = kinds[event.kind]
  if (event.change === 'notes') return [all, notesKey(notes, event.id), myNotes.queryKey]
  if (event.change === 'deleted') return [all, notesKey(notes, event.id), myNotes.queryKey, dashboard.queryKey]
  return [all, dashboard.queryKey]
}
