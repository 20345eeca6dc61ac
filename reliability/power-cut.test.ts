import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { buildImage, readRecord } from '#server/db/embedded/test/power-cut.ts'
import { lineOf, numbersIn, preparedFolder, saveMore, startProgram } from '#server/db/embedded/test/worlds.ts'
import { many, PATIENCE_MS, POWER_CUTS, printLine } from './sizes.ts'

const ROWS = 200
const CUTS_A_RECORDING = 100

/** Writes rows on a disk that records every write and sync, to the end without a cut. */
async function recordWriting() {
  const folder = preparedFolder()
  const program = startProgram(folder, `keep ${ROWS} with checkpoints`, 'recorded')
  await saveMore(program, ROWS)
  await lineOf(program, 'closed')
  return { folder, record: readRecord(folder) }
}

describe('A power cut', { timeout: PATIENCE_MS }, () => {
  it('at a random moment loses no acknowledged row, whichever unsynced writes have reached the disk', async () => {
    let rows = 0
    let writes = 0
    for (let cuts = 0; cuts < POWER_CUTS; cuts += CUTS_A_RECORDING) {
      const { folder, record } = await recordWriting()
      writes += record.length
      const cutPower = async (torn: boolean) => {
        const image = preparedFolder()
        const cut = record.slice(0, Math.floor(record.length * Math.random()))
        const acknowledged = buildImage({ record: cut, data: `${folder}.data`, from: folder, to: image, torn })
        const found = numbersIn(await lineOf(startProgram(image, 'look', 'unsynced'), 'found'))
        expect(found).toEqual(expect.arrayContaining(acknowledged))
        rows += acknowledged.length
        // Hundreds of images would fill the disk before the test ends.
        rmSync(image, { recursive: true, force: true })
      }
      const images = Math.min(CUTS_A_RECORDING, POWER_CUTS - cuts)
      for (let image = 0; image < images; image += 2) await Promise.all([cutPower(false), cutPower(true)])
    }
    printLine(
      `Power cuts: ${POWER_CUTS} images of ${many(writes)} writes and syncs, ${many(rows)} acknowledged rows, 0 lost`,
    )
  })
})
