import { z } from 'zod'
import { invalid, startOver } from '#server/http/errors.ts'

// The feed goes on for as long as its epoch, which ends with a restore or a move, and its timeline, which ends with a failover:
// numbers of transactions may come twice after either.

/** A row of the audit log in the feed. `given`: how many of its entries have been read. Without it, all of them. */
export type Position = { transaction: string; id: string; given?: number | undefined }

/** What the database says of the feed. Transactions below `horizon` have ended: none of them writes any more. */
export type FeedState = { epoch: string; begunAt: string; timeline: string; horizon: string }

/** Before every row of a transaction. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const CursorParts = z.tuple([
  z.guid(),
  z.string().regex(/^[0-9A-F]{8}$/),
  z.string().regex(/^\d{1,19}$/),
  z.guid(),
  z.int().min(1).optional(),
])

export const cursorAt = ({ epoch, timeline }: FeedState, { transaction, id, given }: Position): string =>
  Buffer.from(JSON.stringify([epoch, timeline, transaction, id, ...(given ? [given] : [])])).toString('base64url')

/** Throws the 400 for a cursor that is none, and the 410 for one of a feed that has begun again. */
export function positionAt({ epoch, timeline, horizon }: FeedState, cursor: string): Position {
  const parts = CursorParts.safeParse(contentOf(cursor))
  if (!parts.success) throw invalid({ cursor: 'This cursor is not valid' })
  const [ofEpoch, ofTimeline, transaction, id, given] = parts.data
  // A copy of the files of the database, put back, may have neither changed.
  const isAhead = BigInt(transaction) > BigInt(horizon)
  if (ofEpoch !== epoch || ofTimeline !== timeline || isAhead) throw startOver()
  return { transaction, id, given }
}

function contentOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
