import { describe, expect, it } from 'vitest'
import type { CsvDialect } from '#contract/import-file.ts'
import { encode } from './test/encode.ts'
import { readAll } from './test/read-all.ts'

type Encoding = CsvDialect['encoding']

/** One language each, with few characters beyond ASCII. */
const samples: [string, Encoding, string[]][] = [
  ['French', 'windows-1252', ['Hélène Lefèvre', 'élève à l’école', 'très bien']],
  ['German', 'windows-1252', ['Jürgen Groß', 'möchte später', 'Straße 5 – Köln']],
  ['Spanish', 'windows-1252', ['Íñigo Muñoz', '¿Cuándo? mañana', 'opción']],
  ['Portuguese', 'windows-1252', ['João Guimarães', 'informações', 'não']],
  ['Danish', 'windows-1252', ['Søren Kjær', 'på vej', 'Ålborg']],
  ['English with typographic marks', 'windows-1252', ['It’s “new” – really', 'we don’t know…', '€ 5 ™']],
  ['German', 'macintosh', ['Jürgen Groß', 'möchte später', 'Straße 5 – Köln']],
  ['French', 'macintosh', ['Hélène Lefèvre', 'élève à l’école', 'très bien']],
  ['Polish', 'windows-1250', ['Łukasz Dąbrowski', 'zadzwonić później', 'Kraków']],
  ['Czech', 'windows-1250', ['Jiří Němec', 'příští týden', 'Plzeň']],
  ['Hungarian', 'windows-1250', ['Erzsébet Szőke', 'következő héten', 'Győr']],
  ['Croatian', 'windows-1250', ['Željko Kovačević', 'šest tjedana', 'Đakovo']],
  ['Romanian', 'windows-1250', ['Ştefan Ionuţ', 'săptămâna viitoare', 'Braşov']],
  ['Russian', 'windows-1251', ['Иван Петров', 'Хочет узнать больше', 'МОСКВА']],
  ['Ukrainian', 'windows-1251', ['Олександр Шевченко', 'у вівторок', 'Київ']],
  ['Japanese', 'shift_jis', ['田中 太郎', '来週もう一度電話する', '能力']],
  ['Chinese', 'gb18030', ['王伟', '下周再打电话', '上海']],
]

const fileOf = (lines: string[], encoding: Encoding) =>
  encode(`Name,Notes\n${lines.map((line, at) => `Person ${at},"${line}"\n`).join('')}Tom Baker,ok\n`, encoding)

describe('a file that is not Unicode', () => {
  it.each(samples)('in %s, encoded in %s, is read with its characters', async (_, encoding, lines) => {
    const { values } = await readAll(fileOf(lines, encoding))
    expect(values.map(([, note]) => note)).toEqual([...lines, 'ok'])
  })

  it.each(samples)(
    'in %s, encoded in %s, shows a decoded line, and so in the encoding that a person chooses',
    async (_, encoding, lines) => {
      const file = fileOf(lines, encoding)
      const { inspection, dialect } = await readAll(file)
      expect(inspection.encodingSample).toBe(`Person 0,"${lines[0]}"`)
      const chosen = { ...dialect, encoding: 'windows-1251' } as CsvDialect
      const text = new TextDecoder('windows-1251').decode(encode(lines[0] ?? '', encoding), { stream: true })
      expect((await readAll(file, chosen)).inspection.encodingSample).toContain(text)
    },
  )

  it('shows no line where it is Unicode', async () => {
    const line = ['Zoë']
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      expect((await readAll(fileOf(line, encoding))).inspection.encodingSample).toBeUndefined()
    }
  })

  it('shows the broken line of UTF-8', async () => {
    const file = Buffer.concat([Buffer.from('Name,Notes\nZoë,á\nBob,a'), Buffer.of(0xff), Buffer.from('b\nCid,é\n')])
    const { inspection } = await readAll(file)
    expect(inspection).toMatchObject({ encodingSample: 'Bob,a\ufffdb', isCertain: false })
  })

  it('shows a part of a long line', async () => {
    const { inspection } = await readAll(
      Buffer.from(`Name,Notes\nAda,${'x'.repeat(5_000)}\xe9${'y'.repeat(5_000)}\n`, 'latin1'),
    )
    expect(inspection.encodingSample).toMatch(/^x{100}é?y{0,100}/)
    expect(inspection.encodingSample?.length).toBeLessThan(250)
  })
})
