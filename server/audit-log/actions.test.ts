import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AuditAction, auditActions, entryOf } from '#contract/audit-actions.ts'
import type { Wording } from '#contract/audit-entry.ts'

// `test/audit-check.ts` checks each entry that a test writes: its action, the shape of its detail, and its sentence.

const words: Wording = {
  ...{
    of: (word = 'the founder Ada') => word,
    at: (word) => ` ${word} the founder Ada`,
    other: () => 'the company Acme',
  },
  ...{ isEmpty: false, isDuplicate: false, kind: 'founder', before: {}, after: {}, detail: {}, pipeline: {} },
}

// @ts-expect-error A misspelt action does not compile.
const _misspelt: AuditAction = 'add-nots'

describe('Every action', () => {
  it.each(Object.keys(auditActions) as AuditAction[])('%s has a noun and a sentence', (action) => {
    const { noun, sentence } = auditActions[action]
    expect(noun).toMatch(/^[a-z][a-z -]+[a-z]$/)
    expect([sentence(words), sentence({ ...words, isEmpty: true, isDuplicate: true })]).toEqual(
      Array(2).fill(expect.stringMatching(/^(?!.*(undefined|null|NaN))[a-z].*[^.]$/)),
    )
  })
})

describe('The history of a record says', () => {
  const own = { ...words, of: (word = 'this record') => word, at: () => '', other: (word = '{other}') => word }
  it.each<[AuditAction, string, string?]>([
    ['create', 'added this record'],
    ['update', 'edited this record', 'saved it without changes'],
    ['enrich', 'refreshed this record', 'refreshed this record, and nothing changed'],
    ['delete', 'deleted this record'],
    ['restore', 'brought this record back'],
    ['add-note', 'added a note', 'added a note, which has been deleted'],
    ['update-note', 'edited a note'],
    ['delete-note', 'deleted a note'],
    ['merge', 'merged {other} into this record'],
    ['undo-merge', 'undid the merge with {other}'],
    ['add-finder', 'met them too'],
    ['delete-finder', 'took back having met them'],
    ['add-link', 'linked {other}'],
    ['update-link', 'changed the role of the link to {other}'],
    ['delete-link', 'removed the link to {other}'],
    ['add-tag', 'added a tag'],
    ['delete-tag', 'removed a tag'],
    ['update-pipeline', 'changed the pipeline of this record', 'saved the pipeline without changes'],
    ['dismiss-duplicate', 'marked another record as not the same'],
    ['inform', 'marked this person as informed'],
    ['undo-inform', 'took back that this person was informed'],
    ['undo-dismissal', 'marked another record as possibly the same again'],
  ])('of %s: %s', (action, sentence, empty = sentence) => {
    const entry = auditActions[action]
    expect([entry.sentence(own), entry.sentence({ ...own, isEmpty: true })]).toEqual([sentence, empty])
  })

  it.each<[Wording['pipeline'], string]>([
    [{ stage: 'In review' }, 'moved this record to In review'],
    [{ nextStep: 'Call', nextOn: '2026-12-01' }, 'set the next step'],
    [{ nextStep: null, nextOn: null }, 'ended the next step'],
    [{ status: 'passed', reason: 'Too early', nextStep: null, nextOn: null }, 'passed on this record'],
    [{ status: 'on hold' }, 'put this record on hold'],
    [{ stage: 'Met', responsible: 'Bob' }, 'moved this record to Met and made Bob responsible for this record'],
    [{ reasonText: 'Later' }, 'changed the reason for passing on this record'],
    [{ lookAgainOn: '2027-05-03' }, 'set when to look again'],
    [{ lookAgainOn: null }, 'ended the day to look again'],
    [{ status: 'passed', reason: 'Too early', lookAgainOn: '2027-05-03' }, 'passed on this record'],
  ])('what became of the pipeline: %j', (pipeline, sentence) => {
    expect(auditActions['update-pipeline'].sentence({ ...own, pipeline })).toBe(sentence)
  })

  it('which record was merged into which', () => {
    expect(auditActions.merge.sentence({ ...own, isDuplicate: true })).toBe('merged this record into {other}')
  })
})

const textsIn = (folder: string, end: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end) && !/\.test\.ts$|(^|\/)test\/|migrations\//.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8').replaceAll(/--.*$|^\s*\/\/.*$/gm, '') }))

const SERVER = join(import.meta.dirname, '..')
const functions = textsIn(join(SERVER, 'db/functions'), '.sql')

/** The parts of a list between commas that are in no brackets. */
function partsOf(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of list) {
    depth += Number(sign === '(') - Number(sign === ')')
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts
}

const literalsOf = (text = '') => [...text.matchAll(/'([a-z-]+)'/g)].map(([, name = '']) => name)

/** The literals that a function may write as an action: of what it assigns to one, and of what it inserts. */
function writtenBy(text: string): string[] {
  const assigned = [...text.matchAll(/\baction(?: text)? := ([^;]+);/g)].map(([, value]) => value)
  const inserted = [...text.matchAll(/insert into audit_log \(([^)]*)\)\s*(?:select|values \()([^;]*);/g)].map(
    ([, columns = '', values = '']) => partsOf(values)[partsOf(columns).findIndex((name) => name.trim() === 'action')],
  )
  return [...assigned, ...inserted]
    .map((value) => value?.replaceAll(/tg_op when '\w+'|when '[A-Z]+'|->> 'action'|noun <> ''/g, ''))
    .flatMap(literalsOf)
}

describe('What writes an entry in SQL', () => {
  it('writes an action of the list', () => {
    const written = functions.flatMap(({ text }) => writtenBy(text))
    const nouns = functions.flatMap(({ text }) =>
      [...text.matchAll(/attach_record_triggers\('\w+', '(\w+)'/g)].map(([, noun]) => noun),
    )
    const isPart = (name: string) => name === '-' || name === 'add'
    const actions = [
      ...written.filter((name) => !isPart(name)),
      ...nouns.flatMap((noun) => ['add', 'update', 'delete'].map((verb) => `${verb}-${noun}`)),
    ]
    expect(new Set(actions)).toEqual(
      new Set([
        ...['create', 'update', 'delete', 'purge', 'restore', 'enrich', 'add-link', 'delete-link'],
        ...['add-tag', 'delete-tag', 'add-note', 'update-note', 'delete-note'],
      ]),
    )
    expect(actions.filter((action) => entryOf(action) === undefined)).toEqual([])
  })
})

/** The action of an act, or of an entry, in a condition. */
const ASKS_IN_SQL = [
  /\baction\b\s*(?:=|<>|!=|~|<|>|not\b|in\b|like\b|is\b|\|\|)/g,
  /(?:->>?|#>>?|\?[|&]?) ?'\{?(?:\w+,)*action\b/g,
]
const ASKS_IN_CODE = [
  /(?<!const )\baction\b (?:=|<>|!=|not in|in|like) \(?'/g,
  /\b(?:eq|ne|inArray|notInArray|like)\([\w.]+\.action, \[?'/g,
]

/** Where a function takes over the action of an act, and where it makes the name of one. */
const WRITES = [/coalesce\(actor ->> 'action',/g, /else action end \|\| '-'/g]

describe('No rule asks for the name of an action', () => {
  const askingIn = (texts: { name: string; text: string }[], asks: RegExp[]) =>
    texts.flatMap(({ name, text }) => {
      const rest = WRITES.reduce((kept, writes) => kept.replaceAll(writes, ''), text)
      return asks.flatMap((ask) => rest.match(ask) ?? []).map((found) => `${name}: ${found}`)
    })

  it('in a function of the database', () => {
    expect(askingIn(functions, ASKS_IN_SQL)).toEqual([])
  })

  it('in a statement of the server', () => {
    expect(askingIn(textsIn(SERVER, '.ts'), ASKS_IN_CODE)).toEqual([])
  })

  it.each([
    ["if actor ->> 'action' in ('merge', 'undo-merge') then", ASKS_IN_SQL],
    ["is_move boolean := action <> 'merge'", ASKS_IN_SQL],
    ["if actor ?| '{id,action}' then", ASKS_IN_SQL],
    ["sql`account_id = $1 and action <> 'undo-merge'`", ASKS_IN_CODE],
    ["eq(auditLog.action, 'export')", ASKS_IN_CODE],
  ])('as in %s', (text, asks) => {
    expect(askingIn([{ name: 'example', text }], asks)).not.toEqual([])
  })
})
