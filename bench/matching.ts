import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { fold } from '#contract/fold.ts'
import type { OpenDatabase } from '#server/db/database.ts'
import { findSimilar } from '#server/duplicates/similar.ts'
import { kinds } from '#server/kinds.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { searchText } from '#server/records/write/search-text.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { signIn } from './caller.ts'
import { measure } from './load.ts'
import { startProduct } from './product.ts'
import { loadPostgres, openWorld } from './world.ts'

// Measures how many labelled pairs of names in `matching/` the product suggests, and the cost of a lookup. The first
// name of each pair is a record of a large world; the second one is the typed name. The rules were developed with the
// known pairs. The unseen ones were written after the rules, so they show what to expect of other names.

type PairSet = { title: string; kind: RecordKind; file: string }

const SETS: PairSet[] = kinds.flatMap((kind) => [
  { title: kind.plural, kind, file: `${kind.path}.jsonl` },
  { title: `${kind.plural}, unseen`, kind, file: `${kind.path}-unseen.jsonl` },
])

type Pair = { kind: string; a: string; b: string; same: boolean; why: string }
type Placed = Pair & { id: string }

type Suggested = Placed & {
  isFound: boolean
  /** Suggested records that are not of this pair, by name. */
  others: string[]
  milliseconds: number
}

type Measured = PairSet & { pairs: Suggested[] }

const share = (of: unknown[], all: unknown[]) => (all.length === 0 ? '' : (of.length / all.length).toFixed(3))
const ms = (value: number) => value.toFixed(1)

/** Prints the tables of docs/performance.md, and the pairs for which the product is wrong. */
export async function measureMatching(url: string, founders: number, seconds: number, say: (line: string) => void) {
  const { email } = await loadPostgres(url, founders, say)
  const database = await openWorld({ DATABASE_URL: url })
  const suggested: Measured[] = []
  try {
    for (const set of SETS) {
      const pairs = await place(database, set.kind, readPairs(set, seconds))
      if (seconds > 0) await lookUp(database, set.kind, pairs)
      suggested.push({ ...set, pairs: await lookUp(database, set.kind, pairs) })
    }
    // Without this, the product would compare the added records with all others at the same time.
    await database.execute('delete from duplicate_checks')
  } finally {
    await database.close()
  }
  printQuality(suggested, say)
  say('\n| One connection | The call: p50 ms | p99 ms | The function alone: p50 ms | p99 ms |\n|---|---|---|---|---|')
  const product = await startProduct({ DATABASE_URL: url, LOG_LEVEL: 'silent' })
  try {
    const { headers } = await signIn(product.url, email, PASSWORD)
    for (const { title, kind, pairs } of suggested) {
      const requests = pairs.map(({ b }) => ({
        method: 'GET' as const,
        path: `/api/${kind.path}/similar?${new URLSearchParams({ name: b })}`,
      }))
      const look = (duration: number) => measure(product.url, { requests, headers, seconds: duration, connections: 1 })
      if (seconds > 0) await look(Math.min(1, seconds))
      const call = await look(seconds)
      const took = pairs.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
      const at = (share: number) => took[Math.floor(took.length * share)] as number
      say(`| ${[title, ms(call.p50), ms(call.p99), ms(at(0.5)), ms(at(0.99))].join(' | ')} |`)
    }
  } finally {
    await product.end('SIGTERM')
  }
}

/** All pairs, or some where nothing is measured. */
const readPairs = ({ file }: PairSet, seconds: number): Pair[] =>
  readFileSync(join(import.meta.dirname, 'matching', file), 'utf8')
    .trim()
    .split('\n')
    .slice(0, seconds === 0 ? 20 : undefined)
    .map((line) => JSON.parse(line))

/** Adds the first name of each pair to the world. */
async function place({ execute }: OpenDatabase, kind: RecordKind, pairs: Pair[]): Promise<Placed[]> {
  const placed = pairs.map((pair) => ({ ...pair, id: uuidv7() }))
  const rows = placed.map(({ id, a }) => ({ id, name: a, text: searchText(kind.searched, { name: a }) }))
  await execute(
    `insert into records (id, kind, name, linked_in, notes, rating, search_text)
    select id, '${kind.name}', name, 'https://x.example/' || id, '', 5, text
    from jsonb_to_recordset($1::jsonb) as given (id uuid, name text, text text)`,
    [JSON.stringify(rows)],
  )
  return placed
}

async function lookUp({ db }: OpenDatabase, kind: RecordKind, pairs: Placed[]): Promise<Suggested[]> {
  const looked: Suggested[] = []
  for (const pair of pairs) {
    const began = performance.now()
    const [similar = []] = await findSimilar(db, kind, [{ name: pair.b }])
    const milliseconds = performance.now() - began
    const others = similar.filter(({ id }) => id !== pair.id).map(({ name }) => name)
    looked.push({ ...pair, isFound: similar.length > others.length, others, milliseconds })
  }
  return looked
}

const labelOf = ({ same, why }: Pair) => `${same ? 'one' : 'two'}: ${why}`

function printQuality(suggested: Measured[], say: (line: string) => void) {
  say(
    '\n| | Pairs of one | Found | By equal names | Pairs of two | Suggested | By equal names | Others a lookup | With another name |',
  )
  say('|---|---|---|---|---|---|---|---|---|')
  for (const { title, pairs } of suggested) {
    const cells = [true, false].flatMap((same) => {
      const labelled = pairs.filter((pair) => pair.same === same)
      const equal = labelled.filter(({ a, b }) => fold(a) === fold(b))
      return [
        labelled.length,
        share(
          labelled.filter(({ isFound }) => isFound),
          labelled,
        ),
        share(equal, labelled),
      ]
    })
    const others = pairs.flatMap(({ b, others }) => others.map((name) => ({ b, name })))
    const unlike = others.filter(({ b, name }) => fold(name) !== fold(b))
    say(`| ${[title, ...cells, share(others, pairs), share(unlike, pairs)].join(' | ')} |`)
  }
  for (const { title, pairs } of suggested) {
    say(`\n| ${title} | Pairs | Suggested | Wrong |\n|---|---|---|---|`)
    for (const of of new Set(pairs.map(labelOf))) {
      const group = pairs.filter((pair) => labelOf(pair) === of)
      const wrong = group.filter(({ same, isFound }) => same !== isFound).map(({ a, b }) => `${a} = ${b}`)
      say(`| ${[of, group.length, group.filter(({ isFound }) => isFound).length, wrong.join('; ')].join(' | ')} |`)
    }
  }
}
