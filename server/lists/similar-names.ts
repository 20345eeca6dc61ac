import { and, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { distance } from '#server/names/likeness.ts'
import { isOfKind } from '#server/records/kind.ts'
import { lexeme } from '#server/records/write/search-text.ts'
import { isListed } from './candidates.ts'
import { isNotFound, type SecondarySearch } from './secondary-matches.ts'

// Names with the words of a term: without accents, in any order, the last one perhaps unfinished, and with at most one
// mistake, in a word of five letters or more.

/** The names that are compared with a term. More share its words only where these are common. */
const NAMES_READ = 200
/** Each further word of a term costs the index a look-up, and hardly narrows the result. */
const WORDS_ASKED = 6
/** In a shorter word, another letter makes another word. */
const TYPO_FROM = 5
/** The beginning of fewer letters begins too many words. */
const BEGINNING_FROM = 3
/** Longer words have no keys with a letter less. */
const TYPO_TO = 20

type Candidate = { id: string; at: string; names: string[][] }

/** The ids of the records with similar names, best first, without those that the exact search finds. */
export async function findSimilarNames(db: Database, search: SecondarySearch): Promise<string[]> {
  const terms = await wordsOf(db, search.query.search)
  if (terms.length === 0) return []
  const asked = terms.map((words) => `(${words.slice(0, WORDS_ASKED).map(keysOf).join(' & ')})`).join(' | ')
  const found = (await candidates(db, search, asked)).flatMap(({ id, at, names }) => {
    const mistakes = Math.min(...terms.flatMap((term) => names.map((name) => mistakesIn(term, name))))
    return mistakes > 1 ? [] : [{ id, place: `${at} ${id}`, mistakes }]
  })
  return found
    .sort((one, other) => one.mistakes - other.mistakes || (one.place > other.place ? -1 : 1))
    .slice(0, search.limit)
    .map(({ id }) => id)
}

/** The words of a term in each of its forms, such as a Chinese name with and without its space. */
async function wordsOf(db: Database, search: string): Promise<string[][]> {
  const forms = await rowsOf<{ words: string[] }>(
    db,
    sql`select to_json(search_words(form)) as words from unnest(person_forms(${search})) form`,
  )
  return forms.map(({ words }) => words).filter((words) => words.length > 0)
}

async function candidates(db: Database, { kind, query }: SecondarySearch, asked: string): Promise<Candidate[]> {
  const name: SQL = sql`split_part(${records.searchText}, E'\\x1f', 1)`
  const isWanted = and(
    isOfKind(records.kind, kind),
    sql`word_keys(${name}) @@ ${asked}::tsquery`,
    isNotFound(query.search),
    isListed(query.filters),
  )
  return rowsOf<Candidate>(
    db,
    sql`select id, at, (select json_agg(search_words(form)) from unnest(person_forms(name)) form) as names
      from (
        select ${records.id} as id, to_json(${records.createdAt}) #>> '{}' as at, ${name} as name
        from ${records} where ${isWanted} limit ${NAMES_READ}
      ) candidates`,
  )
}

const isLong = (word: string) => word.length >= TYPO_FROM && word.length <= TYPO_TO

/** The word with any one letter less. */
const shortened = (word: string) => [
  ...new Set(Array.from(word, (_, at) => [...word].filter((_letter, index) => index !== at).join(''))),
]

/** The keys of the words that a word of a term stands for, as a tsquery. */
function keysOf(word: string, at: number, words: string[]): string {
  const isBeginning = at === words.length - 1 && word.length >= BEGINNING_FROM
  const keys = [`${lexeme(word)}${isBeginning ? ':*' : ''}`]
  // A word with a letter less has four letters or more.
  if (word.length >= TYPO_FROM - 1 && word.length <= TYPO_TO + 1) {
    keys.push(lexeme(`-${word}`))
    for (const short of shortened(word)) {
      keys.push(lexeme(`-${short}`))
      if (isLong(short)) keys.push(lexeme(short))
    }
  }
  return `(${keys.join(' | ')})`
}

/** The number of mistakes in a term for a name; infinite where a word of the term stands for none of the name. */
export function mistakesIn(term: string[], name: string[]): number {
  const left = [...name]
  const take = (fits: (word: string) => boolean) => {
    const at = left.findIndex(fits)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  const wrong = term.filter((word) => !take((match) => match === word))
  const last = term.at(-1) ?? ''
  const isBegun = last.length >= BEGINNING_FROM && wrong.at(-1) === last && take((match) => match.startsWith(last))
  const mistaken = isBegun ? wrong.slice(0, -1) : wrong
  return mistaken.every((word) => take((match) => isLong(match) && distance(word, match, 1) === 1))
    ? mistaken.length
    : Number.POSITIVE_INFINITY
}
