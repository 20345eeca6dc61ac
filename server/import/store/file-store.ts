import { open } from 'node:fs/promises'
import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { importFiles } from '#server/db/schema.ts'

/** Small enough that writing a piece does not noticeably delay other statements of the embedded database. */
const PIECE_BYTES = 256 * 1024
/** Files are kept for this long, so that an import can be read again with other columns. */
const KEPT_DAYS = 30

/** Saves a file, piece by piece. Its import is created afterwards; pieces without an import are deleted by age. */
export async function saveFile(db: Database, importId: string, path: string): Promise<void> {
  const file = await open(path)
  try {
    for (let piece = 0; ; piece += 1) {
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(PIECE_BYTES),
        position: piece * PIECE_BYTES,
      })
      if (bytesRead > 0) await db.insert(importFiles).values({ importId, piece, bytes: buffer.subarray(0, bytesRead) })
      if (bytesRead < PIECE_BYTES) return
    }
  } finally {
    await file.close()
  }
}

/** Writes a stored file to a path, piece by piece. */
export async function loadFile(db: Database, importId: string, path: string): Promise<void> {
  const numbers = await db
    .select({ piece: importFiles.piece })
    .from(importFiles)
    .where(eq(importFiles.importId, importId))
    .orderBy(asc(importFiles.piece))
  const file = await open(path, 'w', 0o600)
  try {
    for (const { piece } of numbers) {
      const [row] = await db
        .select({ bytes: importFiles.bytes })
        .from(importFiles)
        .where(sql`${importFiles.importId} = ${importId} and ${importFiles.piece} = ${piece}`)
      if (row) await file.write(row.bytes)
    }
  } finally {
    await file.close()
  }
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
