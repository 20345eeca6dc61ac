import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFile } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('A file of refused rows', () => {
  it.each(['=1+1', '+1', '-1', '@A1', '＝1+1', '＋1', '－1', '＠A1', '\t1', '\r1', "'tis", "'=1"])(
    'protects %j from spreadsheets by an apostrophe, and the import takes exactly that off',
    { tags: 'slow' },
    async (text) => {
      const { client } = await fellowOf(test)
      const refusedOf = async (file: string) => {
        const { id, counts } = await importFile(client, file, { cells: 'refuse' })
        expect(counts.refused).toBe(1)
        return (await client.get(`/api/imports/${id}/refused.csv`)).text
      }
      const quoted = (cell: string) => (/[\r"]/.test(cell) ? `"${cell}"` : cell)
      // As a file of someone else has it: an apostrophe before such text is one that a spreadsheet has added.
      const own = text.startsWith("'") ? `'${text}` : text
      const first = await refusedOf(`Name,Rating,Extra\r\nWim,11,${quoted(own)}\r\n`)
      expect(first).toContain(`Wim,11,${quoted(`'${text}`)},Rating: `)
      const again = await refusedOf(first.replace(',reason', ',Before'))
      expect(again).toContain(`Wim,11,${quoted(`'${text}`)},`)
    },
  )
})
