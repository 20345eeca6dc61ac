import { and, asc, eq, gte } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { pictures } from '#server/db/schema.ts'
import type { EncodedPicture } from '#server/enrichment/pictures/encode.ts'

/** Where the app serves a founder's picture; the parameter changes with every picture, so that none is shown stale. */
export const pictureAddress = (id: string, fetchedAt: Date): string =>
  `/api/founders/${id}/picture?t=${fetchedAt.getTime()}`

/** The picture in the least size that is at least `size` wide, else in the largest; undefined when there is none. */
export async function getPicture(db: Database, founderId: string, size: number) {
  const [picture] = await db
    .select()
    .from(pictures)
    .where(and(eq(pictures.founderId, founderId), gte(pictures.size, size)))
    .orderBy(asc(pictures.size))
    .limit(1)
  return picture
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
