import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { fold } from '#contract/fold.ts'
import { type PassingReason, PassingReasonsInput, type Stage, StageInput, StagePatch } from '#contract/stage.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { createStage, listReasons, listStages, replaceReasons, updateStage } from '#server/pipeline/stages.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE } from '../command.ts'
import { printable, wrapped } from '../lines.ts'

/** What a verb does with a name, and a second word where it takes one. */
type Verb = { takes: 1 | 2; run: (db: Database, name: string, value: string) => Promise<unknown> }

export const stages: Command = {
  name: 'stages',
  usage:
    'list | add NAME | rename NAME NEW-NAME | order NAME POSITION | limit NAME DAYS|none | archive NAME | restore NAME [--json]',
  summary: 'lists and changes the stages of the pipeline',
  run: ({ db, out }, args) =>
    operate(args, {
      verbs: {
        add: { takes: 1, run: (db, name) => createStage(db, undefined, checked(StageInput, { name })) },
        rename: { takes: 2, run: (db, name, value) => change(db, name, { name: value }) },
        order: { takes: 2, run: (db, name, value) => change(db, name, { position: Number(value) }) },
        limit: {
          takes: 2,
          run: (db, name, value) => change(db, name, { limitDays: value === 'none' ? null : Number(value) }),
        },
        archive: { takes: 1, run: (db, name) => change(db, name, { archived: true }) },
        restore: { takes: 1, run: (db, name) => change(db, name, { archived: false }) },
      },
      list: () => listStages(db),
      lineOf: stageLine,
      ...{ db, out },
    }),
}

export const reasons: Command = {
  name: 'reasons',
  usage:
    'list | add NAME | rename NAME NEW-NAME | order NAME POSITION | look-again NAME 3|6|12|none | remove NAME [--json]',
  summary: 'lists and changes the reasons for passing',
  run: ({ db, out }, args) =>
    operate(args, {
      verbs: {
        add: { takes: 1, run: (db, name) => replace(db, (known) => [...known, { name }]) },
        rename: { takes: 2, run: (db, name, value) => replaceOne(db, name, (reason) => [{ ...reason, name: value }]) },
        order: { takes: 2, run: (db, name, value) => moveReason(db, name, Number(value)) },
        'look-again': {
          takes: 2,
          run: (db, name, value) =>
            replaceOne(db, name, (reason) => [{ ...reason, lookAgain: value === 'none' ? null : Number(value) }]),
        },
        remove: { takes: 1, run: (db, name) => replaceOne(db, name, () => []) },
      },
      list: () => listReasons(db),
      lineOf: ({ name, lookAgain }, place) =>
        `${place + 1}  ${printable(name)}${lookAgain === null ? '' : `, look again after ${lookAgain} months`}`,
      ...{ db, out },
    }),
}

type Operation<Row> = {
  verbs: Record<string, Verb>
  list: () => Promise<Row[]>
  lineOf: (row: Row, place: number) => string
  db: Database
  out: (line: string) => void
}

/** Runs the verb, then prints the whole list. */
async function operate<Row>(args: string[], { verbs, list, lineOf, db, out }: Operation<Row>): Promise<number> {
  const words = readWords(args)
  if (words === undefined) return EXIT_USAGE
  const { verb, given, isJson } = words
  if (verb !== 'list' || given.length > 0) {
    const known = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (known?.takes !== given.length) return EXIT_USAGE
    const [name = '', value = ''] = given
    await known.run(db, name, value).catch((error: unknown) => {
      throw error instanceof AppError ? new StartupError(`${error.message}.`.replace(/[.]{2}$/, '.')) : error
    })
  }
  const rows = await list()
  const lines = isJson
    ? [JSON.stringify(rows, undefined, 2)]
    : rows.flatMap((row, place) => wrapped(lineOf(row, place), '   '))
  for (const line of lines) out(line)
  return 0
}

/** The parsed arguments; undefined when they match no form in `usage`. */
function readWords(args: string[]) {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } })
    const [verb = 'list', ...given] = positionals
    return { verb, given, isJson: values.json === true }
  } catch {
    return undefined
  }
}

const stageLine = ({ name, position, archived, limitDays }: Stage) =>
  [
    `${archived ? '-' : position}  ${printable(name)}`,
    ...(limitDays === null ? [] : [`at most ${limitDays} days`]),
    ...(archived ? ['archived'] : []),
  ].join(', ')

/** What the call over HTTP would refuse is a sentence for the operator. */
function checked<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const { success, data, error } = schema.safeParse(input)
  if (success) return data
  throw new StartupError(`${error.issues[0]?.message ?? 'This is not valid'}.`)
}

const isNamed = (name: string) => (one: { name: string }) => fold(one.name) === fold(name.trim())

async function change(db: Database, name: string, patch: object): Promise<unknown> {
  const stage = (await listStages(db)).find(isNamed(name))
  if (stage === undefined) throw new StartupError(`There is no stage "${printable(name)}".`)
  return updateStage(db, undefined, stage.id, checked(StagePatch, patch))
}

type Reasons = (Pick<PassingReason, 'name'> & { id?: string; lookAgain?: unknown })[]

const replace = async (db: Database, by: (known: PassingReason[]) => Reasons) =>
  replaceReasons(db, undefined, checked(PassingReasonsInput, by(await listReasons(db))))

async function replaceOne(db: Database, name: string, by: (reason: PassingReason) => Reasons): Promise<unknown> {
  const known = (await listReasons(db)).find(isNamed(name))
  if (known === undefined) throw new StartupError(`There is no reason "${printable(name)}".`)
  return replace(db, (all) => all.flatMap((reason) => (reason.id === known.id ? by(reason) : [reason])))
}

async function moveReason(db: Database, name: string, position: number): Promise<unknown> {
  const known = (await listReasons(db)).find(isNamed(name))
  if (known === undefined) throw new StartupError(`There is no reason "${printable(name)}".`)
  if (!Number.isInteger(position) || position < 1) throw new StartupError('Position must be a whole number from 1.')
  return replace(db, (all) => all.filter(({ id }) => id !== known.id).toSpliced(position - 1, 0, known))
}
