import type { Fault } from '#contract/import.ts'
import { kindWords } from '#contract/kind-words.ts'
import { type KindName, kinds } from '#contract/kinds.ts'
import { NAME_MAX, NOTE_MAX } from '#contract/limits.ts'
import { isVisible } from '#contract/plain-text.ts'
import { emailOf, marksEmptiness } from '#server/import/read/cells/cell-values.ts'
import { namesSeveral } from '#server/import/read/cells/names.ts'
import { columnsOf, keyOf, textsOf } from '#server/import/read/columns/mapping.ts'
import { createdAt, longText, type Reader, unreadable } from '#server/import/rows/readers.ts'
import type { Reading, Refusal } from '#server/import/target.ts'
import { splitText } from './split.ts'

// Parses a row of a file of notes.

/** Far more than people write. A row is written in one transaction. */
const PARTS_MAX = 100

/** A row that can be imported. The author and the record are found in the database. */
export type ParsedNote = {
  /** The name of its record, its address, and its kind where the file has it. */
  record?: string
  address?: string
  kind?: KindName
  /** The text, in parts that a note can hold. */
  parts: string[]
  author?: { text: string; email: string | undefined }
  date?: Date
  faults: Fault[]
  /** The headers of these columns, for sentences about the record. */
  headers: { record: string | undefined; address: string | undefined }
}

/** Further names of the kinds of record in files, in English, German, French and Spanish, without accents. */
const KIND_NAMES: { [Name in KindName]?: readonly string[] } = {
  founder: [
    ...['person', 'people', 'contact', 'contacts', 'candidate', 'grunder', 'grunderin'],
    ...['kontakt', 'fondateur', 'fondatrice', 'personne', 'fundador', 'fundadora', 'persona', 'contacto'],
  ],
  company: [
    ...['organization', 'organisation', 'organizations', 'organisations', 'startup', 'firma'],
    ...['unternehmen', 'entreprise', 'societe', 'empresa', 'compania', 'organizacion'],
  ],
}

const kindOf: Reader = (text) => {
  const found = kinds.find(({ name, path }) => [name, path, ...(KIND_NAMES[name] ?? [])].includes(keyOf(text)))
  return found === undefined ? unreadable(`The kind must be ${kindWords}`) : { value: found.name }
}

const authorOf: Reader = (text, column, header) => {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return {
    ...(namesSeveral(text) && { sentence: 'This may be several people' }),
    ...longText('Author', NAME_MAX)(line, column, header),
  }
}

export function noteParser(file: Reading): (cells: string[]) => ParsedNote | Refusal {
  const { mapping, columns } = file
  const headerOf = (field: 'record' | 'address' | 'text' | 'kind' | 'author' | 'date') => {
    const [column] = columnsOf(mapping[field])
    return column === undefined ? undefined : columns[column] || undefined
  }
  const headers = { record: headerOf('record'), address: headerOf('address') }
  const fault = (header: string | undefined, sentence: string): Fault => ({
    ...(header !== undefined && { column: header }),
    sentence,
  })
  const readTime = createdAt(file)

  return (cells) => {
    const texts = textsOf(file, cells)
    const faults: Fault[] = []
    const left: Fault[] = []
    const read = <Value>(field: 'kind' | 'author' | 'date', reader: Reader): Value | undefined => {
      const text = texts[field]
      if (text === undefined || marksEmptiness(text)) return undefined
      const [column = 0] = columnsOf(mapping[field])
      const { value, sentence } = reader(text, column, headerOf(field) ?? '')
      if (sentence !== undefined) left.push(fault(headerOf(field), sentence))
      return value as Value | undefined
    }
    const given = (text: string | undefined) => (text === undefined || marksEmptiness(text) ? undefined : text)
    const record = given(texts.record)
    const address = given(texts.address)
    const kind = read<KindName>('kind', kindOf)
    const author = read<string>('author', authorOf)
    const date = read<Date>('date', readTime)
    const parts = splitText(texts.text ?? '')
    if (!isVisible(texts.text ?? '')) faults.push(fault(headerOf('text'), 'Text is required'))
    if (parts.length > PARTS_MAX) {
      const most = (PARTS_MAX * NOTE_MAX).toLocaleString('en')
      faults.push(fault(headerOf('text'), `Text must be at most ${most} characters`))
    }
    if (record === undefined && address === undefined) {
      faults.push(fault(headers.record ?? headers.address, 'The name or an address of the record is required'))
    }
    if (faults.length > 0 || (left.length > 0 && file.cells === 'refuse')) {
      return { isRefused: true, faults: [...faults, ...left] }
    }
    return {
      ...(record !== undefined && { record }),
      ...(address !== undefined && { address }),
      ...(kind !== undefined && { kind }),
      ...(author !== undefined && isVisible(author) && { author: { text: author, email: emailOf(author) } }),
      ...(date !== undefined && { date }),
      ...{ parts, faults: left, headers },
    }
  }
}
