import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { emptyPlaces, fullFolders, problemsOf, sides } from './layers.ts'

const problems = (path: string, ...lines: string[]) => problemsOf([{ path, text: lines.join('\n') }])

const fileIn = (side: string, unit: string) =>
  unit === 'contract' ? 'contract/a.ts' : `${side}/${unit.endsWith('.ts') ? unit : `${unit}/a.ts`}`

const imported = (path: string) => path.replace(/^web\/src\//, '#web/').replace(/^(server|contract)\//, '#$1/')

/** Every place of the table with the next one, which it must not import. */
const neighbours = Object.entries(sides).flatMap(([side, layers]) =>
  layers.flat().flatMap((unit, index, units) => {
    const next = units[index + 1]
    return next === undefined ? [] : [{ lower: fileIn(side, unit), higher: fileIn(side, next) }]
  }),
)

describe('The layers refuse', () => {
  it.each(neighbours)('$higher in $lower', ({ lower, higher }) => {
    expect(problems(lower, `import { a } from '${imported(higher)}'`)).toHaveLength(1)
  })

  it.each([
    ['a type', "import type { Session } from '#server/auth/sessions/session.ts'"],
    ['a type among values', "import { type Session, sessionOf } from '#server/auth/sessions/session.ts'"],
    ['a type in place', "let session: import('#server/auth/sessions/session.ts').Session"],
    ['names on several lines', 'import {\n  sessionOf,\n  callerOf,\n} from "#server/auth/sessions/session.ts"'],
    ['everything of it', "import * as session from '#server/auth/sessions/session.ts'"],
    ['its effects', "import '#server/auth/sessions/session.ts'"],
    ['a relative path', "import { sessionOf } from '../auth/sessions/session.ts'"],
    ['a re-export', "export { sessionOf } from '../auth/sessions/session.ts'"],
    ['a dynamic import', "const load = () => import('../auth/sessions/session.ts')"],
  ])('a folder above, imported as %s', (_form, line) => {
    expect(problems('server/db/open.ts', "import { join } from 'node:path'", line)).toEqual([
      'server/db/open.ts imports server/auth/sessions/session.ts: auth is above db (scripts/layers.ts). Move what both need further down, or pass it in.',
    ])
  })

  it.each(['server/reminders/routes.ts', 'server/new.ts', 'web/src/nowhere/api.ts', 'web/src/new.tsx'])(
    '%s, which has no place',
    (path) => expect(problems(path)).toEqual([expect.stringContaining('has no place')]),
  )

  it('a place that no file fills', () => {
    expect(emptyPlaces([{ path: 'server/db/open.ts', text: '' }])).toContain(
      'server/mail is in the layers of scripts/layers.ts, but there is no such folder or file.',
    )
  })

  it.each([
    ['the server in the page', 'web/src/lib/http.ts', '#server/db/schema.ts', 'imports nothing of it'],
    ['the page in the server', 'server/http/static.ts', '#web/paths.ts', 'imports nothing of it'],
    ['the tools in the product', 'server/main.ts', '../scripts/run.mjs', 'imports nothing of it'],
    ['a package other than zod in the contract', 'contract/note.ts', 'node:path', 'only zod'],
    [
      'the contract in guarded-fetch',
      'server/guarded-fetch/connect.ts',
      '#contract/limits.ts',
      'nothing of the product',
    ],
    ['the database in a provider', 'server/enrichment/providers/github/a.ts', '#server/db/schema.ts', 'never touches'],
    ['a provider in a provider', 'server/enrichment/providers/github/a.ts', '../website/a.ts', 'another one'],
    ['an import in reading', 'server/import/read/files/csv.ts', '#server/import/rows/values.ts', 'knows no import'],
    ['a kind in a kind', 'server/companies/kind.ts', '../founders/kind.ts', 'by name'],
    ['a kind in a feature', 'server/import/jobs/jobs.ts', '#server/founders/kind.ts', 'by name'],
    ['a kind in a page', 'web/src/pages/records-page.tsx', '#web/founders/kind.ts', 'by name'],
    ['services as a value', 'server/notes/routes.ts', '#server/services.ts', 'type imports only'],
  ])('%s', (_what, path, specifier, why) => {
    expect(problems(path, `import { a } from '${specifier}'`)).toEqual([expect.stringContaining(why)])
  })
})

describe('A kind by its name', () => {
  it.each(["if (kind.name === 'founder') return", "sql`kind in ('merged-founder')`", 'const kind = "company"'])(
    'is refused: %s',
    (line) => {
      expect(problems('server/since/store.ts', line)).toEqual([expect.stringContaining('names a kind')])
      expect(problems('web/src/board/api.ts', line)).toHaveLength(1)
    },
  )

  it('is allowed in its own folder, in the list of kinds, and in comments', () => {
    expect(problems('server/founders/kind.ts', "...kindNamed('founder')")).toEqual([])
    expect(problems('contract/kinds.ts', "{ name: 'founder' }")).toEqual([])
    expect(problems('server/since/store.ts', "// A 'founder' is a person.")).toEqual([])
  })
})

describe('A folder', () => {
  const filled = (folder: string, count: number, end = '.ts') =>
    Array.from({ length: count }, (_, at) => `${folder}/${at}${end}`)

  it('has at most 20 files, styles too', () => {
    const files = [...filled('web/src/notes', 19, '.tsx'), 'web/src/notes/a.module.css']
    expect(fullFolders(files)).toEqual([])
    expect(fullFolders([...files, 'web/src/notes/b.ts'])).toEqual([
      expect.stringContaining('web/src/notes/ has 21 files'),
    ])
    expect(fullFolders([...files, ...filled('web/src/notes/list', 20)])).toEqual([])
  })

  it.each([
    ['tests', filled('server/notes', 30, '.test.ts')],
    ['helpers of tests', filled('server/notes/test', 30)],
    ['pages', filled('web/src/pages', 30, '.tsx')],
    ['migrations', filled('server/db/migrations', 30, '.sql')],
    ['other sides', filled('contract', 30)],
  ])('may have more %s', (_what, files) => expect(fullFolders(files)).toEqual([]))
})

describe('The layers allow', () => {
  it.each([
    ['a folder below', 'server/auth/sessions/guard.ts', "import { accounts } from '#server/db/schema.ts'"],
    ['the same folder', 'server/auth/sessions/guard.ts', "import { isManager } from './policy.ts'"],
    ['zod in the contract', 'contract/note.ts', "import { z } from 'zod'"],
    ['the types of the services', 'server/notes/routes.ts', "import type { Services } from '#server/services.ts'"],
    ['the kinds in their list', 'server/kinds.ts', "import { founderKind } from './founders/kind.ts'"],
    ['the own folder of a kind', 'server/founders/kind.ts', "import { enrichment } from './enrichment.ts'"],
    ['the own folder of a provider', 'server/enrichment/providers/github/a.ts', "import { ask } from './client.ts'"],
    ['anything in a test', 'server/db/open.test.ts', "import { buildApp } from '#server/app.ts'"],
  ])('%s', (_what, path, line) => expect(problems(path, line)).toEqual([]))
})

describe('The check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'layers-'))
  afterEach(() => rmSync(folder, { recursive: true }))

  it('fails on a wrong import in the sources, and prints both files and the reason', () => {
    mkdirSync(join(folder, 'server/db'), { recursive: true })
    writeFileSync(join(folder, 'server/db/open.ts'), "import { callerOf } from '../auth/sessions/session.ts'\n")
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    const { status, stdout } = spawnSync(process.execPath, [resolve('scripts/layers.ts')], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stdout).toContain('server/db/open.ts imports server/auth/sessions/session.ts: auth is above db')
  })
})
