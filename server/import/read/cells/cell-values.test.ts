import { describe, expect, it } from 'vitest'
import { encoderOf } from '#server/import/http/encode.ts'
import { isId, isSensitive } from '#server/import/read/columns/unmapped-columns.ts'
import { areNotes, notesAbove, notesWithLines } from '#server/import/rows/note-lines.ts'
import { emailOf, employeesOf, marksEmptiness, ratingOf, scaleOf, yearOf } from './cell-values.ts'

describe('A rating', () => {
  it.each([
    ...([
      ['8', 8],
      ['8.0', 8],
      ['8,0', 8],
      ['7/10', 7],
      ['7 / 10', 7],
      ['7 of 10', 7],
      ['7 von 10', 7],
    ] as const),
    ...([
      ['4/5', 8],
      ['70 %', 7],
      ['70/100', 7],
      ['4.5/5', 9],
      ['★★★★', 8],
      ['★★★★☆', 8],
      ['★★★★★', 10],
    ] as const),
    ...([
      ['⭐️⭐️⭐️', 6],
      ['★★★★★★★☆☆☆', 7],
      ['10', 10],
      ['1', 1],
    ] as const),
  ])('%s is %s', (text, rating) => {
    expect(ratingOf(text)).toBe(rating)
  })

  it.each(['11', '0', '7.5', '75 %', '8/7', '7/10 good', 'good', '☆☆☆☆☆', '-3', '★'.repeat(11)])(
    'cannot be read: %s',
    (text) => {
      expect(ratingOf(text)).toBeUndefined()
    },
  )

  it.each([
    ['Score (1-5)', 5],
    ['Rating out of 100', 100],
    ['Note /5', 5],
    ['Score (1-10)', 10],
    ['Rating', 10],
    ['Top 5', 10],
  ])('%s has ratings up to %s', (header, scale) => {
    expect(scaleOf(header)).toBe(scale)
  })

  it('follows the scale of its column', () => {
    expect(ratingOf('4', 5)).toBe(8)
    expect(ratingOf('6', 5)).toBeUndefined()
  })
})

describe('A cell', () => {
  it.each(['-', '–', '—', '?', '...', 'n/a', 'N/A', 'None', 'NULL', '#N/A', 'k. A.'])('%s marks emptiness', (text) => {
    expect(marksEmptiness(text)).toBe(true)
  })

  it.each(['0', 'Na', '★', '+1', 'No', '😀', 'a'])('%s does not', (text) => {
    expect(marksEmptiness(text)).toBe(false)
  })

  it.each([
    ['2019', 2019],
    ['2019-05-01', 2019],
    ['May 2019', 2019],
    ['01/05/2019', 2019],
    ['2015-2019', undefined],
    ['19', undefined],
    ['20,190', undefined],
    ['2999', undefined],
  ])('%s has the year %s', (text, year) => {
    expect(yearOf(text)).toBe(year)
  })

  it.each([
    ['51-200', '51-200'],
    ['1,200', 1200],
    ['1.200', 1200],
    ['1.001-5.000', '1001-5000'],
    ['50+', '50+'],
    ['120 Mitarbeiter', 120],
    ['many', undefined],
    ['0', undefined],
  ])('%s has %s employees', (text, employees) => {
    expect(employeesOf(text)).toBe(employees)
  })

  it.each([
    ['Ann@acme.example', 'Ann@acme.example'],
    ['Ann Ash <ann@acme.example>', 'ann@acme.example'],
    ['a@acme.example; b@acme.example', 'a@acme.example'],
    ['mailto:a@acme.example', 'a@acme.example'],
    ['ann at acme', undefined],
  ])('%s has the email address %s', (text, email) => {
    expect(emailOf(text)).toBe(email)
  })
})

describe('A column that fills no field', () => {
  it.each([
    'Birthday',
    'Date of Birth',
    'dob',
    'Born',
    'Phone',
    'Mobile Phone',
    'phoneNumber',
    'Salary (EUR)',
    'Gender',
    'Sex',
  ])('%s is sensitive', (header) => {
    expect(isSensitive(header)).toBe(true)
  })
  it.each(['Geburtsdatum', 'Telefonnummer', 'Handy', 'Jahresgehalt', 'Geschlecht', 'Date de naissance', 'Téléphone'])(
    '%s is sensitive',
    (header) => {
      expect(isSensitive(header)).toBe(true)
    },
  )
  it.each(['Salaire', 'Sexe', 'Fecha de nacimiento', 'Teléfono', 'Móvil', 'Salario', 'Género'])(
    '%s is sensitive',
    (header) => {
      expect(isSensitive(header)).toBe(true)
    },
  )
  it.each(['Stage', 'Region', 'Manager', 'Language', 'Essex office', 'Hotel', 'Payments product'])(
    '%s is not sensitive',
    (header) => {
      expect(isSensitive(header)).toBe(false)
    },
  )
  it.each(['id', 'Record ID', 'personId', 'UUID', 'list_entry_id', 'ID del contacto', 'Identifiant'])(
    '%s is an id',
    (header) => {
      expect(isId(header)).toBe(true)
    },
  )
  it.each(['Idea', 'Paid', 'Video', 'Ideas'])('%s is no id', (header) => {
    expect(isId(header)).toBe(false)
  })
})

describe('Lines below notes', () => {
  const columns = ['Stage', 'Area']

  it('are no part of the notes for comparing', () => {
    expect(areNotes('Met\nStage: Seed', 'Met', columns)).toBe(true)
    expect(areNotes('Met\nStages: Seed', 'Met', columns)).toBe(false)
    expect(areNotes('Met twice\nStage: Seed', 'Met', columns)).toBe(false)
  })

  it('stay when the notes are replaced, as often as one likes', () => {
    const lines = 'Area: A\nwith two lines\nStage: Seed\n\nAdded by hand'
    const once = notesAbove('New', `Old\n${lines}`, columns)
    expect(once).toBe(`New\n${lines}`)
    expect(areNotes(once as string, 'New', columns)).toBe(true)
    expect(notesAbove('New', lines, columns)).toBe(`New\n${lines}`)
    expect(notesAbove('New', 'Old', columns)).toBe('New')
    expect(notesAbove('x'.repeat(9_999), lines, columns)).toBeUndefined()
  })

  it('are counted in characters, not in code units', () => {
    const { notes, faults } = notesWithLines('🦊'.repeat(9_990), [{ column: 'A', text: 'A: 🦊🦊🦊🦊' }])
    expect([...notes]).toHaveLength(9_998)
    expect(faults).toEqual([])
  })
})

describe('An encoded text', () => {
  it.each([
    ['utf-8', 'Zoë 語 🦊'],
    ['utf-16le', 'Zoë 語 🦊'],
    ['utf-16be', 'Zoë 語 🦊'],
    ['windows-1252', 'Zoë € “quoted” – Œ'],
    ['windows-1250', 'Łódź Škoda €'],
    ['windows-1251', 'Иван Ёлкин № €'],
    ['macintosh', 'Zoë ∆ “quoted” Ÿ'],
    ['shift_jis', '山田太郎 ｱｲｳ ~ソ表'],
    ['gb18030', '李伟 Zoë 語 🦊 ㎏ ¥'],
  ] as const)('%s is read again as it was', (encoding, text) => {
    expect(new TextDecoder(encoding).decode(encoderOf(encoding)(text))).toBe(text)
  })

  it('has a question mark for a character that the encoding does not have', () => {
    expect(encoderOf('windows-1251')('a語b').toString('latin1')).toBe('a?b')
  })
})
