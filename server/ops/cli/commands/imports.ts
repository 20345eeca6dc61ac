import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { cancelImport, deleteRest, hideImport } from '#server/import/jobs/stop.ts'
import { getImport, type ImportRecord, listImports } from '#server/import/store/store.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE } from '../command.ts'
import { printable, wrapped } from '../lines.ts'

const LIMIT = 100
const WIDTH = 80

/** The actions on one import. Each returns the sentence to print. */
const verbs: Record<string, (db: Database, record: ImportRecord) => Promise<string>> = {
  async cancel(db, { id, fileName }) {
    await cancelImport(db, id, undefined)
    return `The import of ${printable(fileName)} is cancelled. What was imported can be reverted.`
  },
  async delete(db, { id, fileName }) {
    await hideImport(db, id, undefined)
    await deleteRest(db, id)
    return `The import of ${printable(fileName)} is deleted. Its records stay.`
  },
}

export const imports: Command = {
  name: 'imports',
  usage: 'list [--json] | cancel|delete ID [--json]',
  summary: `lists the newest ${LIMIT} imports; cancels and deletes them`,
  async run({ db, out }, args) {
    const words = readWords(args)
    if (words === undefined) return EXIT_USAGE
    const { verb, id, isJson } = words
    if (verb === 'list') {
      const found = (await listImports(db, 'all', { limit: LIMIT, after: undefined })).slice(0, LIMIT)
      for (const line of isJson ? [JSON.stringify(found.map(asJson), undefined, 2)] : linesOf(found)) out(line)
      return 0
    }
    const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (act === undefined || id === undefined) return EXIT_USAGE
    if (!z.uuid().safeParse(id).success) throw new StartupError(`"${printable(id)}" is not an id.`)
    const sentence = await getImport(db, id)
      .then((record) => act(db, record))
      .catch((error) => {
        throw error instanceof AppError ? new StartupError(`${error.message}.`.replace('..', '.')) : error
      })
    for (const line of isJson ? [JSON.stringify({ id, done: verb }, undefined, 2)] : wrapped(sentence)) out(line)
    return 0
  },
}

/** The parsed arguments; undefined when they match no form in `usage`. */
function readWords(args: string[]) {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } })
    const [verb = '', id, ...more] = positionals
    if (more.length > 0 || (verb === 'list' && id !== undefined)) return undefined
    return { verb, id, isJson: values.json === true }
  } catch {
    return undefined
  }
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

const asJson = ({ id, state, kind, bytes, done, total, createdAt, by, fileName, error }: ImportRecord) => ({
  ...{ id, state, kind, bytes, done, total, createdAt, by, name: fileName },
  ...(error !== null && { error }),
})

/** Two lines for each import, because its id takes half of the first one. */
function linesOf(found: ImportRecord[]): string[] {
  const line = (id: string, state: string, kind: string, size: string, added: string) =>
    [id.padEnd(36), state.padEnd(9), kind.padEnd(7), size.padStart(8), added].join('  ')
  return [
    line('ID', 'STATE', 'KIND', 'SIZE', 'ADDED'),
    ...found.flatMap(({ id, state, kind, bytes, createdAt, by, fileName }) => [
      line(id, state, kind, megabytes(bytes), createdAt.toISOString().slice(0, 10)),
      `  ${printable(by)}: ${printable(fileName)}`.slice(0, WIDTH),
    ]),
  ]
}
