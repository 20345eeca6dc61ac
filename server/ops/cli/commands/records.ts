import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type DeletedRow, listDeleted, restoreDeleted } from '#server/programme/deleted/store.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE } from '../command.ts'
import { printable, wrapped } from '../lines.ts'

const LIMIT = 100

export const records: Command = {
  name: 'records',
  usage: 'deleted | restore ID [--json]',
  summary: `lists the newest ${LIMIT} deleted records; brings one back`,
  async run({ db, out }, args) {
    const words = readWords(args)
    if (words === undefined) return EXIT_USAGE
    const { verb, id, isJson } = words
    if (verb === 'deleted' && id === undefined) {
      const rows = (await listDeleted(db, { limit: LIMIT, after: undefined })).slice(0, LIMIT)
      for (const line of isJson ? [JSON.stringify(rows, undefined, 2)] : linesOf(rows)) out(line)
      return 0
    }
    if (verb !== 'restore' || id === undefined) return EXIT_USAGE
    if (!z.uuid().safeParse(id).success) throw new StartupError(`"${printable(id)}" is not an id.`)
    const restored = await restoreDeleted(db, undefined, id)
    if (restored === undefined) throw new StartupError('There is no deleted record with this id.')
    const sentence = `The ${restored.kind} is back, with everything of it.`
    for (const line of isJson ? [JSON.stringify({ ...restored, done: verb }, undefined, 2)] : wrapped(sentence))
      out(line)
    return 0
  },
}

/** The parsed arguments; undefined when they match no form in `usage`. */
function readWords(args: string[]) {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } })
    const [verb = '', id, ...more] = positionals
    return more.length > 0 ? undefined : { verb, id, isJson: values.json === true }
  } catch {
    return undefined
  }
}

const linesOf = (rows: DeletedRow[]): string[] =>
  rows.length === 0
    ? ['No record was deleted in the last 30 days.']
    : rows.flatMap(({ id, kind, name, createdAt, by }) => [
        ...wrapped(`${kind} ${id}`),
        ...wrapped(`  ${printable(name)}, deleted ${createdAt.toISOString()} by ${printable(by.name)}`),
      ])
