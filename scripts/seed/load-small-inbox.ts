import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, savedSearches, searchWatches } from '#server/db/schema.ts'
import { createNote } from '#server/notes/store.ts'
import { askForOpinions } from '#server/opinions/store.ts'
import { type ActWorld, publicIdsOf } from './load-small-pipelines.ts'
import { ASKS, MENTIONS, SEARCHES } from './small-world-inbox.ts'

const DAY = 86_400_000
/** What is older counts as seen. */
const UNREAD_DAYS = 14

/** Names fellows in notes, asks for opinions, and saves searches, so that the inboxes of the small world have lines. */
export async function loadInboxes(tx: Database, { fellow, begin }: ActWorld): Promise<void> {
  const places = [...MENTIONS.map(({ names }) => names), ...ASKS.flatMap(({ of }) => of)]
  const publicIds = await publicIdsOf(tx, [...new Set(places)].map(fellow))
  const publicId = (account: Account) => publicIds.get(account.id) as string
  for (const { names, text, ...act } of MENTIONS) {
    const { kind, id, by } = await begin(act)
    const named = fellow(names)
    const name = `@${named.name}`
    const mentions = [{ id: publicId(named), at: 0, length: [...name].length }]
    await createNote(tx, { kind, id }, by, { content: `${name} ${text}`, mentions })
  }
  for (const { of, ...act } of ASKS) {
    const { kind, id, by } = await begin(act)
    await askForOpinions(
      tx,
      { kind, id },
      by,
      of.map((place) => publicId(fellow(place))),
    )
  }
  const since = new Date(Date.now() - UNREAD_DAYS * DAY)
  for (const { fellow: place, watchedBy, ...search } of SEARCHES) {
    const id = uuidv7()
    await tx.insert(savedSearches).values({ ...search, id, accountId: fellow(place).id, isPinned: search.isShared })
    for (const watcher of watchedBy) {
      await tx.insert(searchWatches).values({ accountId: fellow(watcher).id, searchId: id, seenUntil: since })
    }
  }
  await tx.update(accounts).set({ inboxSince: since }).where(sql`true`)
}
