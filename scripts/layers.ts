// Fails on an import against the direction of the layers, on a folder without a place in them or with too many files, and on a
// kind that is named outside the lists of kinds.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { kinds } from '../contract/kinds.ts'

/** Each kind has a folder on both sides. */
const kindFolders = kinds.map(({ path }) => path)
const kindPaths = kindFolders.join('|')
const kindWords = kinds.map(({ name }) => name).join('|')

/** The folders of the features of records: those of the server that declare one. Some stand elsewhere, because of what they use. */
const featuresBut = (...placed: string[]) =>
  globSync('server/*/feature.ts')
    .map((path) => path.split('/')[1] ?? '')
    .filter((folder) => !['records', ...placed].includes(folder))

/**
 * Each folder and top-level file of a side, once, the lowest layer first. It may import what stands before it, in its
 * own layer too. `services.ts` stands outside.
 */
export const sides = {
  server: [
    ['contract'],
    ['guarded-fetch'],
    ['startup-error.ts', 'sql-state.ts', 'text.ts', 'version.ts', 'files.ts', 'telemetry.ts'],
    ['env-sso.ts', 'env.ts', 'log.ts'],
    ['db'],
    ['http'],
    ['mail'],
    ['audit-log'],
    ['ledger'],
    ['auth', 'account', 'tokens'],
    ['rights.ts'],
    ['names'],
    ['do-not-keep'],
    ['records'],
    // Features of records: the writer below knows none by name, and lists above compose them.
    [...featuresBut('pipeline'), 'pipeline'],
    ['record-features.ts'],
    ['lists'],
    ['enrichment', 'history'],
    [...kindFolders, 'kinds.ts', 'kind-headers.ts'],
    [
      ...['board', 'bulk', 'duplicates', 'merge', 'export', 'import', 'changes', 'dashboard', 'since', 'searches'],
      ...['follows', 'figures', 'week', 'feed'],
      'live',
    ],
    // Its lines are about what all below do, and about people who wait.
    ['inbox'],
    // What goes out by itself, and whether it does.
    ['sending', 'digest', 'channels', 'webhooks'],
    ['mcp'],
    ['programme'],
    ['ops'],
    ['safe-setup.ts', 'api-document.ts', 'rights-routes.ts', 'api.ts', 'app.ts', 'main.ts'],
  ],
  'web/src': [
    ['contract'],
    ['paths.ts', 'lib', 'offline'],
    ['ui'],
    ['session'],
    ['fellows'],
    ['filled'],
    ['records', 'notes', 'finders', 'history'],
    [...kindFolders, 'kinds.ts'],
    featuresBut('notes', 'finders', 'pipeline', 'tags'),
    ['pipeline', 'tags', 'bulk', 'searches'],
    [
      ...['export', 'auth', 'account', 'inbox', 'search', 'board', 'my-records', 'dashboard', 'since', 'share', 'live'],
      'outbox',
      'proposals',
    ],
    ['duplicates', 'merge', 'import', 'changes'],
    ['record-page'],
    ['figures', 'programme', 'data'],
    ['week'],
    ['pages'],
    ['app'],
  ],
}

/** Rules that the order does not give. Each pattern is matched against "<file> <what it imports>". */
const rules: [pattern: RegExp, why: string][] = [
  [/^contract\/\S+ (?!contract\/|zod$)/, 'The contract is what crosses the wire, for both sides: only zod.'],
  [/^server\/guarded-fetch\/\S+ contract\//, 'guarded-fetch reads addresses and knows nothing of the product.'],
  [
    /^server\/enrichment\/providers\/[^/]+\/\S+ server\/(?!enrichment\/|guarded-fetch\/|names\/keys\.ts$|text\.ts$)/,
    'A provider is asked and returns: it never touches the database, and knows no feature.',
  ],
  [
    /^server\/enrichment\/providers\/([^/]+)\/\S+ server\/enrichment\/providers\/(?!\1\/)[^/]+\//,
    'A provider does not know another one.',
  ],
  [
    /^server\/import\/read\/\S+ server\/(?:db\/(?!schema)|import\/(?!read\/))/,
    'Reading a file needs no database, and knows no import.',
  ],
  [
    new RegExp(
      String.raw`^(?:server|web/src)/(?!kinds\.ts |kind-headers\.ts |api\.ts )([^/ ]+)(?:/\S*)? (?:server|web/src)/(?!\1/)(?:${kindPaths})/`,
    ),
    'A kind is known by name in the list of kinds alone. What kinds share goes to records/ and takes a kind.',
  ],
]

/** A kind by its name. */
const KIND = new RegExp(`['"](?:merged-|deleted-)?(?:${kindWords})['"]`)
/** Where kinds are known by name: their declarations, links between both, words of files, and the company of a founder. */
const KNOWN_KINDS = [
  new RegExp(String.raw`^contract/(?:kinds|(?:${kindWords})\S*)\.ts$`),
  new RegExp(`^(?:server|web/src)/(?:${kindPaths})/`),
  /^server\/(?:links\/|db\/schema\/)/,
  /^server\/import\/(?:read\/cells\/names|targets\/notes\/(?:parse-note|headers))\.ts$/,
  /^server\/(?:records\/kind|names\/keys|duplicates\/identity)\.ts$/,
]

/** The lines of a file that name a kind although it knows none. */
const kindsNamedIn = ({ path, text }: Source): string[] =>
  KNOWN_KINDS.some((known) => known.test(path))
    ? []
    : text
        .split('\n')
        .filter((line) => KIND.test(line) && !/^\s*(?:\*|\/[*/])/.test(line))
        .map((line) => `${path} names a kind, which only the lists of kinds do: ${line.trim()}`)

const SERVICES = 'server/services.ts'
const EXEMPT = /\.test\.tsx?$|-behaviour\.ts$|\/test\/|\.d\.ts$/
const STATIC = /^\s*(?:import|export)(\s+type)?(?:\s[^'"`]*?\sfrom)?\s*['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"`]([^'"`]+)['"`]/g

type Source = { path: string; text: string }
type Import = { target: string; isType: boolean }

const aliases: [alias: string, folder: string][] = [
  ['#contract/', 'contract/'],
  ['#server/', 'server/'],
  ['#web/', 'web/src/'],
]

/** The path in the repository of what a file imports; of a package, its name. */
function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  const [alias, folder] = aliases.find(([alias]) => specifier.startsWith(alias)) ?? ['', '']
  return folder + specifier.slice(alias.length)
}

const importsOf = ({ path, text }: Source): Import[] => [
  ...[...text.matchAll(STATIC)].map(([, type, name = '']) => ({ target: targetOf(path, name), isType: !!type })),
  ...[...text.matchAll(DYNAMIC)].map(([, name = '']) => ({ target: targetOf(path, name), isType: false })),
]

/** The name under which the table has a file of a side. */
const unitOf = (path: string, side: string) =>
  path.startsWith('contract/')
    ? 'contract'
    : path.startsWith(`${side}/`)
      ? path.slice(side.length + 1).split('/')[0]
      : undefined

/** What is wrong with an import, as a sentence; undefined when it is right. */
function refusalOf(path: string, side: keyof typeof sides, { target, isType }: Import): string | undefined {
  const rule = rules.find(([pattern]) => pattern.test(`${path} ${target}`))
  if (rule) return rule[1]
  if (target === SERVICES || path === SERVICES) return isType ? undefined : 'services.ts is for type imports only.'
  if (!/^(contract|server|web|e2e|bench|reliability|scripts)\//.test(target)) return undefined
  const order = sides[side].flat()
  const [from, to] = [unitOf(path, side), unitOf(target, side)]
  if (to === undefined) return `${side} imports nothing of it.`
  if (order.indexOf(to) <= order.indexOf(from ?? '')) return undefined
  return `${to} is above ${from} (scripts/layers.ts). Move what both need further down, or pass it in.`
}

/** The wrong imports of these sources, the folders without a place, and named kinds. Tests are exempt. */
export function problemsOf(sources: Source[]): string[] {
  const read = sources.filter(({ path }) => !EXEMPT.test(path))
  return read.flatMap((source) => {
    const side = source.path.startsWith('web/src/') ? 'web/src' : 'server'
    const unit = unitOf(source.path, side) ?? ''
    if (source.path !== SERVICES && !sides[side].flat().includes(unit)) {
      return [`${source.path}: ${side}/${unit} has no place in the layers of scripts/layers.ts.`]
    }
    const wrong = importsOf(source).flatMap((one) => {
      const why = refusalOf(source.path, side, one)
      return why === undefined ? [] : [`${source.path} imports ${one.target}: ${why}`]
    })
    return [...wrong, ...kindsNamedIn(source)]
  })
}

/** So many files of a folder can still be seen at once. */
const FILES_MAX = 20
const NOT_COUNTED = /\.test\.tsx?$|-behaviour\.ts$|\/(?:test|fixtures|migrations|pages)\//

/** Folders with too many files. Tests, numbered migrations and the pages, one for each address, do not count. */
export function fullFolders(paths: string[]): string[] {
  const counted = paths.filter((path) => /^(server|web\/src)\//.test(path) && !NOT_COUNTED.test(path))
  const files = Object.groupBy(counted, (path) => posix.dirname(path))
  return Object.entries(files).flatMap(([folder, own = []]) =>
    own.length <= FILES_MAX
      ? []
      : [
          `${folder}/ has ${own.length} files, and at most ${FILES_MAX} can be seen at once: make folders in it, or join small files.`,
        ],
  )
}

/** Places in the table that nothing fills. */
export const emptyPlaces = (sources: Source[]): string[] =>
  Object.entries(sides).flatMap(([side, layers]) =>
    layers
      .flat()
      .filter((unit) => !sources.some(({ path }) => unitOf(path, side) === unit))
      .map((unit) => `${side}/${unit} is in the layers of scripts/layers.ts, but there is no such folder or file.`),
  )

if (process.argv[1] === import.meta.filename) {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', 'contract', 'server', 'web/src']
  const paths = execFileSync('git', listed, { encoding: 'utf8' })
    .split('\n')
    .filter((path) => existsSync(path))
  const sources = paths
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const problems = [...problemsOf(sources), ...emptyPlaces(sources), ...fullFolders(paths)]
  for (const problem of problems) console.log(problem)
  if (problems.length > 0) process.exitCode = 1
}
