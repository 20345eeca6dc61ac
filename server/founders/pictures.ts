import { and, asc, eq, sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { PictureQuery } from '#contract/picture.ts'
import { RecordParams } from '#contract/record.ts'
import type { Database } from '#server/db/database.ts'
import { pictures } from '#server/db/schema.ts'
import type { EncodedPicture } from '#server/enrichment/pictures/encode.ts'
import type { App } from '#server/http/app.ts'
import { notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

/** The route of a founder's picture. */
export function pictureRoutes(app: App, { db }: Services) {
  app.get(
    '/founders/:id/picture',
    head({
      ...{ operationId: 'getFounderPicture', summary: 'Get the picture of a founder', tag: 'Founders' },
      params: RecordParams,
      query: PictureQuery,
      answers: { 200: PictureAnswer, 304: z.null().describe('As in the cache of the client') },
      refusals: [notFound(NO_PICTURE)],
    }),
    async (request, reply) => {
      const known = request.headers['if-none-match']
      const picture = await getPicture(db, request.params.id, request.query.size, known)
      if (picture === undefined) throw notFound(NO_PICTURE)
      return sendPicture(reply, picture)
    },
  )
}

const NO_PICTURE = 'There is no picture of this founder'

const PictureAnswer = {
  description: 'A picture, re-encoded',
  content: { 'image/webp': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) } },
}

/** The URL of a founder's picture in this app. Its parameter changes with every picture, so no page shows an old one. */
export const pictureAddress = (id: string, fetchedAt: Date): string =>
  `/api/founders/${id}/picture?t=${fetchedAt.getTime()}`

/** A merged founder's picture keeps its URL. */
const isOfFounder = (id: string) =>
  and(eq(pictures.recordId, id), sql`${pictures.kind} in ('founder', 'merged-founder')`)

/** Without its bytes, if the client has it. */
type Picture = { bytes: Buffer | null; tag: string }

const tag = sql<string>`concat('"', (extract(epoch from ${pictures.fetchedAt}) * 1000)::bigint, '-', ${pictures.size}, '"')`

/** The smallest stored picture that is at least `size` wide, else the largest; undefined without a picture. */
async function getPicture(db: Database, founderId: string, size: number, known = ''): Promise<Picture | undefined> {
  const [picture] = await db
    .select({ bytes: sql<Buffer | null>`case when ${tag} <> ${known} then ${pictures.bytes} end`, tag })
    .from(pictures)
    .where(isOfFounder(founderId))
    .orderBy(sql`${pictures.size} < ${size}`, asc(sql`abs(${pictures.size} - ${size})`))
    .limit(1)
  return picture
}

/**
 * Sends a picture that a browser may keep, but not show before it has asked whether it is still there and may be seen.
 * Nothing in it may execute.
 */
function sendPicture(reply: FastifyReply, { bytes, tag }: Picture) {
  reply.headers({
    'cache-control': 'private, no-cache',
    'content-security-policy': "sandbox; default-src 'none'",
    etag: tag,
  })
  if (bytes === null) return reply.code(304).send()
  return reply.type('image/webp').send(bytes)
}

/** Saves a picture in place of an older one. */
export async function savePicture(
  tx: Database,
  founderId: string,
  sizes: EncodedPicture,
  fetchedAt: Date,
): Promise<void> {
  await tx.delete(pictures).where(isOfFounder(founderId))
  const picture = { recordId: founderId, kind: 'founder', fetchedAt } as const
  await tx.insert(pictures).values(sizes.map(({ size, bytes }) => ({ ...picture, size, bytes })))
}
