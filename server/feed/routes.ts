import { Feed, FeedQuery } from '#contract/feed.ts'
import { PAGE_DEFAULT } from '#contract/limits.ts'
import type { App } from '#server/http/app.ts'
import { startOver } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'
import { readFeed } from './feed.ts'

export function feedRoutes(app: App, { db }: Services) {
  app.get(
    '/feed',
    head({
      ...{ operationId: 'listFeed', tag: 'Feed' },
      summary: 'List what was done to records and notes, in one order that never changes',
      description:
        'Without a cursor it begins 90 days ago. Keep `next` with what you have made of the entries, and give it as `cursor`: nothing is missed, and nothing comes twice. Entries have ids only, so read the record for what it is now.',
      query: FeedQuery,
      answers: { 200: Feed },
      refusals: [startOver()],
      hasIdsOnly: true,
      rows: ({ query }) => query.limit ?? PAGE_DEFAULT,
    }),
    async ({ query }) => readFeed(db, query.cursor, query.limit ?? PAGE_DEFAULT),
  )
}
