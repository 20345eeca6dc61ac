import { and, asc, eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PictureQuery } from '#contract/picture.ts'
import { RecordParams } from '#contract/record.ts'
import type { Database } from '#server/db/database.ts'
import { pictures } from '#server/db/schema.ts'
import type { EncodedPicture } from '#server/enrichment/pictures/encode.ts'
import { notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { App, Services } from '#server/services.ts'

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
      const picture = await getPicture(db, request.params.id, request.query.size)
      if (picture === undefined) throw notFound(NO_PICTURE)
      return sendPicture(request, reply, picture)
    },
  )
}

const NO_PICTURE = 'There is no picture of this founder'

const PictureAnswer = {
  description: 'A picture, re-encoded',
  content: { 'image/webp': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) } },
}

/**
 * The URL of a founder's picture in this app. Its parameter changes with every picture, so no cache shows an old one.
 */
export const pictureAddress = (id: string, fetchedAt: Date): string =>
  `/api/founders/${id}/picture?t=${fetchedAt.getTime()}`

/** A merged founder's picture keeps its URL. */
const isOfFounder = (id: string) =>
  and(eq(pictures.recordId, id), sql`${pictures.kind} in ('founder', 'merged-founder')`)

type Picture = { bytes: Buffer; fetchedAt: Date }

/** The smallest stored picture that is at least `size` wide, else the largest; undefined without a picture. */
async function getPicture(db: Database, founderId: string, size: number): Promise<Picture | undefined> {
  const [picture] = await db
    .select({ bytes: pictures.bytes, fetchedAt: pictures.fetchedAt })
    .from(pictures)
    .where(isOfFounder(founderId))
    .orderBy(sql`${pictures.size} < ${size}`, asc(sql`abs(${pictures.size} - ${size})`))
    .limit(1)
  return picture
}

/** Sends a picture that browsers may cache forever, because its URL changes with it. Nothing in it may execute. */
function sendPicture(request: FastifyRequest, reply: FastifyReply, { bytes, fetchedAt }: Picture) {
  const tag = `"${fetchedAt.getTime()}-${bytes.length}"`
  reply.headers({
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "sandbox; default-src 'none'",
    etag: tag,
  })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
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
