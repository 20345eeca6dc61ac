import { z } from 'zod'
import { Change, ChangesQuery } from '#contract/changes.ts'
import { type Account, callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import { canUndo, RECORD_DELETED, UNDO_NEWER_FIRST, VALUES_ERASED } from '#server/merge/policy.ts'
import { newest } from '#server/records/cursor.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { type ChangeRow, listChanges } from './store.ts'

/** *Recent changes*: what fellows did to several records, and whether the caller may undo it. */
export function changeRoutes(app: App, { db }: Services) {
  app.get(
    '/changes',
    head({
      ...{
        operationId: 'listChanges',
        summary: 'List recent merges, dismissals, imports, acts on many records, and deletions',
        tag: 'Duplicates',
      },
      query: ChangesQuery,
      answers: { 200: z.array(Change) },
      isPaged: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const page = await listChanges(db, caller, pageRequest(newest, request))
      return sendPage(newest, request, reply, page).map((row) => presentChange(caller, row))
    },
  )
}

function presentChange(caller: Account, row: ChangeRow): Change {
  const why = whyNotUndo(caller, row)
  const isUndone = row.undoneAt !== null
  return {
    id: row.id,
    act: row.act,
    what: row.what,
    count: row.count,
    ...(row.act === 'import' && row.kind === 'note' && { counted: 'notes' as const }),
    records: row.records.filter((record) => record !== null),
    by: row.by,
    at: row.createdAt.toISOString(),
    can: { undo: !isUndone && why === undefined, ...(!isUndone && why !== undefined && { whyNotUndo: why }) },
    ...(row.undoneAt && { undoneAt: row.undoneAt.toISOString() }),
  }
}

/** Imports of others are listed for managers only, who may revert them. */
function whyNotUndo(caller: Account, row: ChangeRow): string | undefined {
  if (!rights.change.allows(caller)) return rights.change.why
  switch (row.act) {
    case 'merge':
      if (row.records.includes(null)) return RECORD_DELETED
      if (!canUndo(caller, row)) return rights.undoMerges.why
      if (!row.hasValues) return VALUES_ERASED
      return row.newestId === row.id ? undefined : UNDO_NEWER_FIRST
    case 'dismissal':
      if (row.isMerged) return 'One of these records was merged into another one'
      return row.isDismissed ? undefined : 'A new match has listed this pair again'
    case 'deletion':
      return rights.restoreRecords.allows(caller) ? undefined : rights.restoreRecords.why
    // Those of others are listed for managers only, who may undo them.
    case 'bulk':
      return undefined
    case 'import':
      if (row.state === 'running') return 'This import is still running'
      if (row.state === 'reverted') return 'This import has been reverted'
      return row.state === 'reverting' ? 'This import is being reverted' : undefined
  }
}
