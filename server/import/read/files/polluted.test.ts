import { describe, expect, it } from 'vitest'
import { judgeFile } from './test/judge-file.ts'
import { createPollutedFile } from './test/polluted-files.ts'

const FILES = 500

describe('each of 500 polluted CSV files', () => {
  it('is read with all rows right, or every wrong row is refused or marked', { tags: 'slow' }, async () => {
    const silent: unknown[] = []
    let right = 0
    let untouched = 0
    for (let at = 0; at < FILES; at++) {
      const polluted = createPollutedFile(`main-${at}`)
      const judgement = await judgeFile(polluted)
      if (judgement.silent.length > 0) silent.push({ style: polluted.style, wrong: judgement.silent })
      if (judgement.isAllRight) right += 1
      if (polluted.rows.every(({ fault }) => fault === undefined)) untouched += 1
    }
    expect(silent).toEqual([])
    // More are right than have no fault: some faults change no value.
    expect(right).toBeGreaterThan(untouched)
  })
})
