import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

const OPERATIONS = join(import.meta.dirname, '../../docs/operations.md')

/** The one complete example of settings in the documentation. */
export function documentedSettings(): Record<string, string> {
  const [, text] = /```sh\n(# \.env, [\s\S]*?)```/.exec(readFileSync(OPERATIONS, 'utf8')) ?? []
  if (text === undefined) throw new Error('docs/operations.md has no example of a file .env')
  return parseEnv(text) as Record<string, string>
}
