import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { StartupError } from '#server/startup-error.ts'
import { openLedgerFile } from './file.ts'
import { HEADER, type LedgerLine, LINE_MAX, parseLedger, textOf } from './lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'sourcebook-ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const line = (number: number): LedgerLine => ({
  ...{ id: id(number), at: '2026-11-24T10:00:00.000Z', kind: 'account', account: id(900) },
  state: 'disabled',
})
const lines = Array.from({ length: 12 }, (_, number) => line(number))
const whole = Buffer.from(HEADER + lines.map(textOf).join(''))

const refusalOf = (text: string) => {
  try {
    parseLedger('ledger.jsonl', Buffer.from(text))
    return 'It was not refused'
  } catch (error) {
    return error instanceof StartupError ? error.message : `Not a sentence: ${error}`
  }
}

describe('The ledger as a file', () => {
  it('tolerates 1,000 torn endings, and continues after each without losing a whole line', {
    tags: 'slow',
  }, async () => {
    for (let round = 0; round < 1000; round += 1) {
      const end = whole.length - Math.floor((round * whole.length) / 1000)
      const torn = whole.subarray(0, end)
      // The rest of a line may lack its line feed only.
      const kept = torn
        .toString()
        .split('\n')
        .slice(1)
        .filter((text) => text.endsWith('}')).length
      expect(parseLedger('ledger.jsonl', torn).lines, `${end} bytes`).toEqual(lines.slice(0, kept))
      if (round % 20 !== 0) continue
      const path = join(folder, `torn-${round}.jsonl`)
      writeFileSync(path, torn)
      await openLedgerFile(path).append([line(100)])
      expect(parseLedger(path, readFileSync(path)).lines).toEqual([...lines.slice(0, kept), line(100)])
    }
  })

  it('tolerates a last line of zeros, as a power cut leaves it', () => {
    expect(parseLedger('ledger.jsonl', Buffer.concat([whole, Buffer.alloc(50)])).lines).toEqual(lines)
  })

  it('is refused with the number of a damaged line in the middle', () => {
    const texts = whole.toString().split('\n')
    texts[4] = (texts[4] ?? '').slice(0, 30)
    expect(refusalOf(texts.join('\n'))).toContain('is damaged at line 5')
  })

  it.each([
    ['another product’s file', '{"app":"other","events":[]}\n', 'is not a ledger of Sourcebook'],
    ['no JSON', 'id,at\n1,2\n', 'is not a ledger of Sourcebook'],
    ['a newer version', '{"ledger":"sourcebook","version":9}\n', 'newer Sourcebook'],
    ['an unknown kind of line', `${HEADER}{"id":"${id(1)}","at":"2026-11-24T10:00:00Z","kind":"other"}\n`, 'line 2'],
    ['another type', `${HEADER}[1]\n`, 'line 2'],
    ['SQL as an id', `${HEADER}${textOf({ ...line(1), id: "x'; drop table ledger" })}`, 'line 2'],
    ['a huge line', `${HEADER}"${'x'.repeat(LINE_MAX)}"\n`, 'line 2'],
  ])('is refused with a sentence: %s', (_what, text, sentence) => {
    expect(refusalOf(text)).toContain(sentence)
  })

  it('takes a line once, from any of several processes', async () => {
    const path = join(folder, 'shared.jsonl')
    const [one, other] = [openLedgerFile(path), openLedgerFile(path)]
    await one.append(lines.slice(0, 3))
    await other.append(lines.slice(0, 5))
    await one.append(lines)
    expect(parseLedger(path, readFileSync(path)).lines).toEqual(lines)
  })
})
