import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { importFiles } from '#server/db/schema.ts'

/** Small enough that writing a piece does not noticeably delay other statements of the embedded database. */
const PIECE_BYTES = 256 * 1024
/** Files are kept for this long, so that an import can be read again with other columns. */
const KEPT_DAYS = 30

/** Saves a file, piece by piece. Its import is created afterwards; pieces without an import are deleted by age. */
export async function saveFile(db: Database, importId: string, file: Buffer): Promise<void> {
  for (let piece = 0; piece * PIECE_BYTES < file.length; piece += 1) {
    const bytes = file.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES)
    await db.insert(importFiles).values({ importId, piece, bytes })
  }
}

export async function loadFile(db: Database, importId: string): Promise<Buffer> {
  const numbers = await db
    .select({ piece: importFiles.piece })
    .from(importFiles)
    .where(eq(importFiles.importId, importId))
    .orderBy(asc(importFiles.piece))
  const pieces: Buffer[] = []
  for (const { piece } of numbers) {
    const [row] = await db
      .select({ bytes: importFiles.bytes })
      .from(importFiles)
      .where(sql`${importFiles.importId} = ${importId} and ${importFiles.piece} = ${piece}`)
    if (row) pieces.push(row.bytes)
  }
  return Buffer.concat(pieces)
}

export async function deleteFile(db: Database, importId: string): Promise<void> {
  await db.delete(importFiles).where(eq(importFiles.importId, importId))
}

/** Deletes files after 30 days, and pieces that an interrupted upload has left. */
export async function deleteOldFiles(db: Database): Promise<void> {
  await db.execute(sql`
    delete from ${importFiles} as file where file.created_at < now() - make_interval(days => ${KEPT_DAYS})
      or (file.created_at < now() - interval '1 hour' and not exists (select from imports where imports.id = file.import_id))`)
}
