import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EXPORT_COLUMNS, LINE_COLUMNS } from '#contract/export.ts'
import type { Mapping } from '#contract/import.ts'
import type { ImportFieldName } from '#contract/import-kinds.ts'
import type { KindName } from '#contract/kinds.ts'
import { pipelineFileFields } from '#contract/pipeline-fields.ts'
import { completeAddress } from '#contract/plain-text.ts'
import { firstAddress } from '#server/import/read/cells/cell-values.ts'
import { readAll } from '#server/import/read/files/test/read-all.ts'
import { pipelineHeaders } from '#server/pipeline/headers.ts'
import { guessKind, guessMapping, isOwnExport, textsOf } from './mapping.ts'

const FIXTURES = new URL('./fixtures/', import.meta.url)

const ada = {
  name: 'Ada Lovelace',
  linkedIn: 'https://www.linkedin.com/in/ada-lovelace-example',
  company: 'Analytical Engines',
  title: 'Founder',
}
const email = 'ada@engines.example'
const bio = 'Writes programs'
const engines = {
  name: 'Analytical Engines',
  website: 'https://engines.example',
  description: 'Mechanical computers',
  linkedIn: 'https://www.linkedin.com/company/engines-example',
}

/** A list of Affinity calls its stages statuses. */
const affinity = { responsible: 'Tom Baker <tom@mit.edu>', status: 'Met' }

/** The fields from the first row of each file. */
const expected: Record<string, [KindName, Partial<Record<ImportFieldName, string>>]> = {
  'linkedin-connections.csv': ['founder', { ...ada, title: 'Founder & CEO' }],
  'affinity-people.csv': [
    'founder',
    {
      ...{ ...ada, email, notes: 'Introduced by Charles', createdAt: '2024-03-05' },
      ...{ company: 'Analytical Engines; Babbage & Sons', ...affinity },
    },
  ],
  'affinity-organizations.csv': [
    'company',
    { ...engines, industry: 'Hardware; Computers', createdAt: '2024-03-05', ...affinity },
  ],
  'attio-people.csv': [
    'founder',
    {
      ...{ ...ada, bio, createdAt: '2024-03-05T14:30:00.000000000Z', createdBy: 'Tom Baker' },
      email: 'ada@engines.example,ada@home.example',
    },
  ],
  'attio-companies.csv': [
    'company',
    {
      ...{ ...engines, createdAt: '2024-03-05T14:30:00.000000000Z', createdBy: 'Tom Baker' },
      ...{ place: 'London', founded: '1837-01-01', employees: '1-10' },
    },
  ],
  'folk-people.csv': ['founder', { ...ada, email, bio }],
  'hubspot-contacts.csv': [
    'founder',
    { ...ada, email, createdAt: '2024-03-05 14:30', responsible: 'Tom Baker', status: 'New' },
  ],
  'hubspot-companies.csv': [
    'company',
    {
      ...{ ...engines, createdAt: '2024-03-05 14:30', place: 'London', industry: 'Computer Hardware' },
      responsible: 'Tom Baker',
    },
  ],
  'airtable.csv': [
    'company',
    {
      name: 'Analytical Engines',
      website: 'https://engines.example',
      notes: 'Met at the fair.\n\nWants "a second call".',
      rating: '8',
      stage: 'Seed',
      createdAt: '2024-03-05 2:30pm',
      createdBy: 'Tom Baker',
    },
  ],
  'notion.csv': [
    'founder',
    {
      ...ada,
      company: 'Analytical Engines (https://www.notion.so/Analytical-Engines-0000)',
      notes: 'First line\nsecond line',
      rating: '8',
      createdAt: 'March 5, 2024 2:30 PM',
      createdBy: 'Tom Baker',
    },
  ],
}

describe('the exports of other products are mapped automatically', () => {
  it.each(readdirSync(FIXTURES).filter((name) => name.endsWith('.csv')))('%s', async (name) => {
    const { columns, rows, errors } = await readAll(readFileSync(new URL(name, FIXTURES)))
    expect(errors.filter(Boolean)).toEqual([])
    const { kind, isCertain } = guessKind(columns, name)
    expect(isCertain).toBe(true)
    const { website, ...texts } = textsOf({ mapping: guessMapping(kind, columns) }, rows[0]?.values ?? [])
    expect([kind, { ...texts, ...(website && { website: completeAddress(firstAddress(website)) }) }]).toEqual(
      expected[name],
    )
  })
})

describe('our own export', () => {
  const now = [...EXPORT_COLUMNS]
  const before = now.slice(0, 12)

  it.each([
    ['of this version', now],
    ['of the version before', before],
    ['of refused rows', [...now, 'reason']],
    ['as JSON Lines', [...now, 'additionalInfo', 'notesThread', 'finders', ...LINE_COLUMNS]],
    ['as JSON Lines of the version before', [...now, 'additionalInfo', 'notesThread', 'finders']],
  ])('%s is known by its whole header', (_what, columns) => {
    expect(isOwnExport(columns)).toBe(true)
    expect(guessMapping('company', columns)).toMatchObject({
      name: 0,
      linkedIn: 1,
      website: 2,
      description: 3,
      notes: 4,
    })
    expect(guessMapping('founder', columns)).not.toHaveProperty('website')
    expect(guessMapping('founder', columns)).toMatchObject({ stage: 8, status: 9, responsible: 10, tags: 11 })
  })

  it('is not known by single names', () => {
    expect(isOwnExport([...now, 'Phone'])).toBe(false)
    expect(isOwnExport(now.toReversed())).toBe(false)
    expect(isOwnExport(before.slice(0, 8))).toBe(false)
  })

  it('maps each field to its column', () => {
    const pipeline = { stage: 8, status: 9, responsible: 10, tags: 11, nextStep: 20, nextOn: 21 }
    expect(guessMapping('founder', now)).toEqual({
      ...{ name: 0, linkedIn: 1, notes: 4, rating: 5, createdBy: 6, createdAt: 7 },
      ...{ company: 12, title: 13, email: 14, bio: 19, ...pipeline },
    })
    expect(guessMapping('company', now)).toEqual({
      ...{ name: 0, linkedIn: 1, website: 2, description: 3, notes: 4, rating: 5, createdBy: 6, createdAt: 7 },
      ...{ place: 15, industry: 16, founded: 17, employees: 18, ...pipeline },
    })
  })

  it('shows its kind by its values, else by its name, else leaves a doubt', () => {
    const samples = now.map((column) => (column === 'industry' ? ['Robots'] : []))
    expect(guessKind(now, 'founders.csv', samples)).toEqual({ kind: 'company', isCertain: true })
    expect(guessKind(now, 'companies-2026-11-23.csv')).toEqual({ kind: 'company', isCertain: true })
    expect(guessKind(now, 'my-founders-2026-11-23.jsonl')).toEqual({ kind: 'founder', isCertain: true })
    expect(guessKind(now, 'export.csv')).toEqual({ kind: 'founder', isCertain: false })
  })
})

describe('the mapping of a file', () => {
  it('ignores case, accents and punctuation, and leaves out unknown columns', () => {
    expect(guessMapping('company', ['Ümsatz', 'COMPANY_NAME', 'Web-Site', 'créated AT'])).toEqual({
      name: 1,
      website: 2,
      createdAt: 3,
    })
    expect(guessMapping('founder', ['a', 'b'])).toEqual({})
  })

  it('prefers a full name over first and last name, and these over a column that may hold an id', () => {
    expect(guessMapping('founder', ['First name', 'Last name', 'Full name']).name).toBe(2)
    expect(guessMapping('founder', ['Record', 'First name', 'Last name']).name).toEqual([1, 2])
    expect(guessMapping('founder', ['Record', 'First name']).name).toBe(0)
  })

  it.each<[KindName, string[], Mapping]>([
    ['founder', ['First', 'Last', 'E-mail', 'Score (1-10)'], { name: [0, 1], email: 2, rating: 3 }],
    ['founder', ['Surname', 'Given name', 'Current company', 'Job title'], { name: [1, 0], company: 2, title: 3 }],
    [
      'founder',
      ['Vorname', 'Nachname', 'Firma', 'Berufsbezeichnung', 'E-Mail-Adresse', 'Bewertung', 'Notizen'],
      { name: [0, 1], company: 2, title: 3, email: 4, rating: 5, notes: 6 },
    ],
    ['founder', ['Name', 'Vorname', 'Bemerkungen'], { name: [1, 0], notes: 2 }],
    ['founder', ['Vollständiger Name', 'Erstellt am', 'Erstellt von'], { name: 0, createdAt: 1, createdBy: 2 }],
    [
      'founder',
      ['Prénom', 'Nom', 'Société', 'Poste', 'Courriel', 'Évaluation', 'Commentaires'],
      { name: [0, 1], company: 2, title: 3, email: 4, rating: 5, notes: 6 },
    ],
    [
      'founder',
      ['Nombre', 'Apellidos', 'Empresa', 'Cargo', 'Correo electrónico', 'Puntuación', 'Observaciones'],
      { name: [0, 1], company: 2, title: 3, email: 4, rating: 5, notes: 6 },
    ],
    [
      'company',
      ['Firma', 'Webseite', 'Branche', 'Standort', 'Gründungsjahr', 'Mitarbeiter', 'Beschreibung'],
      { name: 0, website: 1, industry: 2, place: 3, founded: 4, employees: 5, description: 6 },
    ],
    [
      'company',
      ["Nom de l'entreprise", 'Site web', 'Secteur', 'Ville', 'Année de création', 'Effectif'],
      { name: 0, website: 1, industry: 2, place: 3, founded: 4, employees: 5 },
    ],
    [
      'company',
      ['Nombre de la empresa', 'Sitio web', 'Industria', 'Sede', 'Año de fundación', 'Empleados'],
      { name: 0, website: 1, industry: 2, place: 3, founded: 4, employees: 5 },
    ],
  ])('knows headers in four languages: %s %j', (kind, columns, mapping) => {
    expect(guessMapping(kind, columns)).toEqual(mapping)
    expect(guessKind(columns).kind).toBe(kind)
  })

  it('fills one field with each column', () => {
    const mapping = guessMapping('company', ['Company', 'URL', 'About', 'City', 'Location'])
    const columns = Object.values(mapping).flat()
    expect(new Set(columns).size).toBe(columns.length)
  })
})

describe('several addresses in one value', () => {
  it.each([
    ['acme.com', 'acme.com'],
    ['acme.com, acme.io', 'acme.com'],
    ['acme.com,acme.io', 'acme.com'],
    ['https://a.example/x,y; https://b.example', 'https://a.example/x,y'],
    ['', ''],
  ])('are the first: %j', (text, first) => {
    expect(firstAddress(text)).toBe(first)
  })
})

describe('Columns of the pipeline', () => {
  it.each(pipelineFileFields.map(({ name }) => name))('are known by their names, for every kind: %s', (field) => {
    for (const kind of ['founder', 'company'] as const) {
      for (const header of pipelineHeaders[field]) {
        expect([header, guessMapping(kind, ['Name', header])]).toEqual([header, { name: 0, [field]: 1 }])
      }
    }
  })

  it.each([
    ['Phase', 'Verantwortlich', 'Schlagwörter', 'Nächster Schritt', 'Fällig am'],
    ['Étape', 'Propriétaire', 'Mots-clés', 'Prochaine étape', 'Échéance'],
    ['Etapa', 'Propietario', 'Etiquetas', 'Próximo paso', 'Fecha de seguimiento'],
    ['Deal stage', 'Deal owner', 'Labels', 'Next action', 'Due date'],
  ])('are known in four languages: %s, %s, %s, %s, %s', (...columns) => {
    expect(guessMapping('company', ['Name', ...columns])).toEqual({
      ...{ name: 0, stage: 1, responsible: 2, tags: 3, nextStep: 4, nextOn: 5 },
    })
  })
})
