import { type CsvDialect, importEncodings, importSeparators } from '#contract/import-file.ts'
import { type Random, randomFrom } from '../../../../../scripts/seed/random.ts'
import { encode } from './encode.ts'
import { WORDS } from './words.ts'

// CSV files as people and programs write them, with at most one fault a row, and what they should have said.

/** A row as it should have been, and its number as a spreadsheet counts rows. */
export type TrueRow = { values: string[]; row: number; fault?: Fault | undefined }

export type PollutedFile = {
  file: Buffer
  dialect: CsvDialect
  header: string[]
  rows: TrueRow[]
  /** What the generator chose, to reproduce and explain a failure. */
  style: string
}

const FAULTS = [
  ...(['stray mark', 'surplus value', 'surplus separator', 'missing value', 'missing separator'] as const),
  ...(['other separator', 'other line end'] as const),
]
type Fault = (typeof FAULTS)[number]

const LINE_ENDS = ['\n', '\r\n', '\r'] as const

type Style = {
  separator: CsvDialect['separator']
  lineEnd: () => string
  space: string
  quotes: 'all' | 'needed' | 'sloppy'
}

export function createPollutedFile(seed: string): PollutedFile {
  const random = randomFrom(seed)
  const encoding = random.one(importEncodings.filter((one) => one !== 'utf-8-twice'))
  const separator = random.one(importSeparators)
  const lineEnds = random.chance(0.1) ? LINE_ENDS : [random.one(LINE_ENDS)]
  const style: Style = {
    separator,
    lineEnd: () => random.one(lineEnds),
    space: random.chance(0.15) ? ' ' : '',
    quotes: random.one(['all', 'needed', 'needed', 'sloppy']),
  }
  const columns = columnsOf(random, encoding)
  const header = columns.map(({ name }) => name)
  const faultShare = random.one([0, 0.05, 0.15])

  let text = random.chance(0.5) && encoding.startsWith('utf') ? '\ufeff' : ''
  let row = 1
  const write = (raw: string, end = style.lineEnd()) => {
    // An empty line behind a carriage return is not the second half of its line break.
    if (raw === '' && end === '\n' && text.endsWith('\r')) end = '\r\n'
    text += raw + end
    return { row: row++ }
  }
  const preamble = random.chance(0.3)
  if (preamble) for (const raw of preambleOf(random, columns.length, style)) write(raw)
  else if (random.chance(0.1)) {
    write(`sep=${separator}`)
    // Spreadsheets do not show this line.
    row = 1
  }
  const headerRow = row
  const isDoubled = random.chance(0.15)
  for (let copy = isDoubled ? 2 : 1; copy > 0; copy--) write(written(header, style))
  const rows: TrueRow[] = []
  const count = random.between(5, 40)
  let faults = 0
  while (rows.length < count) {
    if (random.chance(0.03)) write(random.chance(0.5) ? '' : separator.repeat(columns.length - 1))
    const values = columns.map(({ value }) => value(rows.length + 1))
    // Most rows are as they should be.
    const fault = faults + 1 <= count / 4 && random.chance(faultShare) ? random.one(FAULTS) : undefined
    if (fault) faults += 1
    rows.push({ values, fault, ...write(...withFault(random, values, style, fault)) })
  }
  const hasFooter = random.chance(0.25)
  if (hasFooter) {
    if (random.chance(0.5)) write('')
    const least = random.one([['Total', String(count)], ['End of the export']])
    write(least.slice(0, columns.length - 1).join(separator))
  }
  return {
    file: encode(text, encoding),
    dialect: { format: 'csv', encoding, separator, headerRow },
    header,
    rows,
    style: JSON.stringify({
      seed,
      encoding,
      lineEnds,
      ...style,
      preamble,
      isDoubled,
      hasFooter,
      faultShare,
    }),
  }
}

type Column = { name: string; value: (number: number) => string }

function columnsOf(random: Random, encoding: CsvDialect['encoding']): Column[] {
  const words = WORDS[encoding]
  const maybe = (value: string) => (random.chance(0.15) ? '' : value)
  const name: Column = { name: 'Name', value: (number) => `${random.one(words.names)} ${number}` }
  const others: Column[] = [
    { name: 'LinkedIn', value: (number) => maybe(`https://www.linkedin.com/in/person-${number}`) },
    { name: 'City', value: () => maybe(random.one(words.places)) },
    { name: 'Notes', value: () => maybe(noteOf(random, words.notes)) },
    { name: 'Rating', value: () => maybe(String(random.between(1, 10))) },
    { name: 'Added', value: () => maybe(`${random.between(1, 28)}/${random.between(1, 12)}/2026`) },
    { name: 'E-mail', value: (number) => maybe(`person${number}@example.com`) },
    { name: 'Company', value: () => maybe(`${random.one(words.names)} ${random.one(['GmbH', 'Inc.', 'Ltd'])}`) },
  ]
  const chosen = others.sort(() => random.next() - 0.5).slice(0, random.between(1, others.length))
  chosen.splice(random.chance(0.7) ? 0 : random.below(chosen.length + 1), 0, name)
  if (random.chance(0.7)) return chosen
  return chosen.map((column, at) => ({ ...column, name: words.headers[at] ?? `X${at}` }))
}

/** A sentence or more, some with separators, quotation marks and line breaks. */
function noteOf(random: Random, notes: string[]): string {
  const parts = Array.from({ length: random.between(1, 3) }, () =>
    random.chance(0.2) ? `"${random.one(notes)}"` : random.one(notes),
  )
  return parts.join(random.one([', ', '; ', ' | ', '\n', '\n\n', '. ']))
}

const written = (values: string[], style: Style) => cellsOf(values, style).join(style.separator + style.space)

const cellsOf = (values: string[], { separator, quotes }: Style) =>
  values.map((value) => {
    const isNeeded =
      value.includes(separator) || /^[\s"]|[\r\n]/.test(value) || (quotes !== 'sloppy' && value.includes('"'))
    return quotes === 'all' || isNeeded ? `"${value.replaceAll('"', '""')}"` : value
  })

/** The text of a row and its line end. */
function withFault(random: Random, values: string[], style: Style, fault: Fault | undefined): [string, string] {
  const { separator, lineEnd } = style
  const cells = cellsOf(values, style)
  const at = random.below(cells.length)
  const end = fault === 'other line end' ? random.one(LINE_ENDS) : lineEnd()
  const between = separator + style.space
  if (fault === 'surplus value') cells.splice(at, 0, random.one(['extra', '7', '']))
  if (fault === 'missing value') cells.splice(values.some((value, other) => value && other !== at) ? at : at - 1, 1)
  if (fault === 'other separator') {
    return [cells.join(random.one(importSeparators.filter((other) => other !== separator))), end]
  }
  const raw = cells.join(between)
  if (fault === 'surplus separator') {
    const cell = cells[at] ?? ''
    // Inside quotation marks it would belong to the value.
    const inside = cell.startsWith('"') ? random.one([0, cell.length]) : random.below(cell.length + 1)
    cells[at] = inserted(cell, inside, separator)
    return [cells.join(between), end]
  }
  if (fault === 'stray mark') return [inserted(raw, random.below(raw.length + 1), '"'), end]
  if (fault === 'missing separator') {
    const before = cells.slice(0, Math.max(1, at)).join(between)
    return [before + cells.slice(Math.max(1, at)).join(between), end]
  }
  return [raw, end]
}

const inserted = (text: string, at: number, piece: string) => text.slice(0, at) + piece + text.slice(at)

function preambleOf(random: Random, width: number, { separator }: Style): string[] {
  const lines = ['Export of all people', 'Notes:', 'Report 23.11.2026', '"One, or two; or ""three"""', '']
  if (width > 2) lines.push(`Created by${separator}Tom Baker`)
  const chosen = Array.from({ length: random.between(1, 3) }, () => random.one(lines))
  return random.chance(0.5) ? [...chosen, ''] : chosen
}
