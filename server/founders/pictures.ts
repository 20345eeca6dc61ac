import { asc, eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { pictures } from '#server/db/schema.ts'
import type { EncodedPicture } from '#server/enrichment/pictures/encode.ts'

/** Where the app serves a founder's picture; the parameter changes with every picture, so that none is shown stale. */
export const pictureAddress = (id: string, fetchedAt: Date): string =>
  `/api/founders/${id}/picture?t=${fetchedAt.getTime()}`

type Picture = { bytes: Buffer; fetchedAt: Date }

/** The picture in the least size that is at least `size` wide, else in the largest; undefined when there is none. */
export async function getPicture(db: Database, founderId: string, size: number): Promise<Picture | undefined> {
  const [picture] = await db
    .select({ bytes: pictures.bytes, fetchedAt: pictures.fetchedAt })
    .from(pictures)
    .where(eq(pictures.founderId, founderId))
    .orderBy(sql`${pictures.size} < ${size}`, asc(sql`abs(${pictures.size} - ${size})`))
    .limit(1)
  return picture
}

/** Answers a picture that a browser may keep for ever, as its address changes with it; nothing in it is ever run. */
export function sendPicture(request: FastifyRequest, reply: FastifyReply, { bytes, fetchedAt }: Picture) {
  const tag = `"${fetchedAt.getTime()}-${bytes.length}"`
  reply.headers({
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "sandbox; default-src 'none'",
    etag: tag,
  })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return reply.type('image/webp').send(bytes)
}

/** Puts a picture in place of an older one. */
export async function keepPicture(
  tx: Database,
  founderId: string,
  sizes: EncodedPicture,
  fetchedAt: Date,
): Promise<void> {
  await tx.delete(pictures).where(eq(pictures.founderId, founderId))
  await tx.insert(pictures).values(sizes.map(({ size, bytes }) => ({ founderId, size, bytes, fetchedAt })))
}
