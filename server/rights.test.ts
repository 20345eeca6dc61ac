import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const NO_SOURCE = /\.test\.tsx?$|-behaviour\.ts$|\/test\/|\/migrations\//

const QUESTIONS = [
  /\b\w*[rR]ole\)?\s*[!=]==?\s*['"`]\w/,
  /['"`]\w+['"`]\s*[!=]==?\s*[\w.?]*\b\w*[rR]ole\b/,
  /\brole\s+(=|<>|!=|in)\s+\(?'/,
  /\bswitch \([\w.?]*\b\w*[rR]ole\)/,
  /['"`]manager['"`]/,
  /\bisManager\b|\bactsAsManager\b/,
]

/** The lines of a source that ask about a role. */
const questionsIn = (text: string) =>
  text.split('\n').filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && QUESTIONS.some((one) => one.test(line)))

/** Where else a role may stand, and why. */
const EXCEPTIONS: Record<string, string> = {
  'contract/auth.ts': 'declares the roles',
  'server/rights.ts': 'has the rights',
  'server/records/policy.ts': 'has the rights on one record',
  'server/export/routes.ts': 'of those who may export everything, managers confirm who they are',
  'server/auth/routes.ts': 'sends the role of the caller',
  'server/auth/account-admin.ts': 'makes managers',
  'server/auth/store.ts': 'finds managers',
  'server/ledger/lines.ts': 'keeps who became a manager',
  'server/ledger/apply.ts': 'restores who became a manager',
  'server/programme/people/acts.ts': 'is about the account that is changed, not about the caller',
  'server/programme/people/routes.ts': 'is about the account that is changed, not about the caller',
  'server/programme/privacy/report.ts': 'shows other people by their role',
  'server/sending/store.ts': 'is about the manager who turned names on, not about the caller',
  'server/tags/unused.ts': 'keeps the tags of managers, without a caller',
  'web/src/session/use-rights.ts': 'knows the role with the session, before the rights',
}

describe('A question about a role', () => {
  it('is asked by the rights and policies, and by the exceptions, each of which asks one', { tags: 'slow' }, () => {
    const sources = globSync(['contract/**/*.ts', 'server/**/*.ts', 'web/src/**/*.{ts,tsx}']).filter(
      (path) => !NO_SOURCE.test(path),
    )
    expect(sources.length).toBeGreaterThan(800)
    const asking = sources.filter((path) => questionsIn(readFileSync(path, 'utf8')).length > 0)
    expect(asking.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted())
  })

  it.each([
    "if (caller.role === 'manager') return",
    "if (account?.role !== 'fellow') return",
    "if ('viewer' === role) return",
    'const isAllowed = record.byRole == "manager"',
    "const { data } = useQuery(currentRole); return data === 'manager'",
    'switch (caller.role) {',
    "if (['manager', 'viewer'].includes(caller.role)) return",
    "sql`select from accounts where role = 'manager'`",
    "sql`select from accounts where role in ('manager', 'viewer')`",
    "sql`${accounts.role} <> 'manager'`",
    "import { isManager } from '#server/rights.ts'",
    'if (actsAsManager(caller, true)) return',
  ])('is found: %s', (line) => expect(questionsIn(`const a = 1\n  ${line}\n`)).toHaveLength(1))

  it.each(["link.role === ''", '<p role="status">', 'role: row.role', "/** A fellow's role === 'manager'. */"])(
    'is not one: %s',
    (line) => expect(questionsIn(line)).toEqual([]),
  )
})
