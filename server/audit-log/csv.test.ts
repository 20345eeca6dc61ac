import { describe, expect, it } from 'vitest'
import { csvLine } from './csv.ts'

describe('A cell of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\t1', "'\t1"],
    ['\r=1', '"\'\r=1"'],
    ['\r1', '"\'\r1"'],
    ['\0=1', "'\0=1"],
    ['"=1', '"\'""=1"'],
    ['  =1', "'  =1"],
    ['a,"b"\nc', '"a,""b""\nc"'],
    ['2026-03-18T10:32:00.000Z', '2026-03-18T10:32:00.000Z'],
    ['a=1', 'a=1'],
    [null, ''],
    [undefined, ''],
    [5, '5'],
    [{ a: 1 }, '"{""a"":1}"'],
  ])('with %j is written as %j', (value, written) => {
    expect(csvLine([value])).toBe(written)
  })
})
