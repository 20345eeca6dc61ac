import { z } from 'zod'
import { editableFields, type Field } from '#contract/fields.ts'
import { afterAdding, PROPOSALS_MAX, proposed } from '#contract/filled.ts'
import { fold } from '#contract/fold.ts'
import { kindFields } from '#contract/kind-fields.ts'
import { type Kind, type KindName, kindNames, kinds } from '#contract/kinds.ts'
import { ANSWER_MAX, addressOf, type Row, sizeOf } from './present.ts'
import { type Reader, Refused } from './reader.ts'

// What an assistant proposes becomes addresses of our own pages with their forms filled in. Nothing is written: a person reads each
// form, and presses its button.

export const TEXTS_MAX = 4_000

const text = (about: string) => z.string().optional().describe(about)

/** The act that adds a record of a kind. */
const addOf = <Name extends KindName>(name: Name) => `add_${name}` as const
const actsOnRecord = ['add_note', 'set_next_step', 'set_stage', 'add_tag', 'correct_field'] as const

/** The field of a kind that people fill with a web address. */
const addressFieldOf = (name: KindName) =>
  editableFields<Field>(kindFields[name], 'create').find(({ content }) => content === 'address')?.name as string
const addressFields = kinds.map(({ name }) => addressFieldOf(name))

const Act = z.object({
  act: z.enum([...kindNames.map(addOf), ...actsOnRecord]),
  record: text('Id of the record, for an act on one'),
  name: text('Of the record to add'),
  ...Object.fromEntries(kinds.map(({ name }) => [addressFieldOf(name), text(`Address, for ${addOf(name)}`)])),
  notes: text('How they were met, for an added record'),
  note: text('For add_note'),
  step: text('For set_next_step, or for an added record'),
  on: text('Day of the step, YYYY-MM-DD'),
  stage: text('Name of a stage, for set_stage'),
  tag: text('Name of a tag, for add_tag or for an added record'),
  field: text('Name of a field, for correct_field'),
  value: text('Its new value'),
})
export const Proposals = z.object({ acts: z.array(Act).min(1).max(PROPOSALS_MAX) })
type Act = Record<string, string | undefined> & { act: z.infer<typeof Act>['act'] }

type Takes = { needs: readonly string[]; may: readonly string[] }

/** The kind of record that an act adds. */
const kindAddedBy = (act: Act['act']) => kinds.find(({ name }) => addOf(name) === act)

/** The values that an act on a record takes, those that it needs first. */
const takenOnRecord: Record<(typeof actsOnRecord)[number], Takes> = {
  add_note: { needs: ['record', 'note'], may: [] },
  set_next_step: { needs: ['record', 'step'], may: ['on'] },
  set_stage: { needs: ['record', 'stage'], may: [] },
  add_tag: { needs: ['record', 'tag'], may: [] },
  correct_field: { needs: ['record', 'field', 'value'], may: [] },
}

function takenBy(act: Act['act']): Takes {
  const kind = kindAddedBy(act)
  if (kind === undefined) return takenOnRecord[act as (typeof actsOnRecord)[number]]
  return { needs: ['name'], may: [addressFieldOf(kind.name), 'notes', ...afterAdding] }
}

export type FindRecord = (id: string) => Promise<{ kind: Kind; row: Row } | undefined>

/** One address for all acts, and a line for each. Throws a sentence that names the act. */
export async function propose({ acts }: { acts: Act[] }, find: FindRecord, reader: Reader, origin: string) {
  const texts = acts.flatMap(({ act: _, record: __, ...values }) => Object.values(values))
  const length = texts.reduce((sum, value) => sum + [...(value ?? '')].length, 0)
  if (length > TEXTS_MAX)
    throw new Refused(
      `The texts of all acts have ${length} characters. At most ${TEXTS_MAX} fit: propose less at a time.`,
    )
  const lines = []
  const addresses: string[] = []
  for (const [place, act] of acts.entries()) {
    const refuse = (why: string) => new Refused(`Act ${place + 1} (${act.act}): ${why}`)
    const { path, values, about } = await formOf(act, find, reader, refuse)
    addresses.push(`${path}#${new URLSearchParams(values)}`)
    lines.push({ number: place + 1, act: act.act, ...about })
  }
  const [only] = addresses
  const all = addresses.map((address): [string, string] => ['to', address])
  const address = addresses.length === 1 ? only : `/proposals#${new URLSearchParams(all)}`
  const answer = {
    address: `${origin}${address}`,
    isWritten: false,
    next: 'Give the person this address. Each form is filled in there; only the person can send it.',
    acts: lines,
  }
  // In an address a character may take twelve, and among several acts twenty.
  if (sizeOf(answer) > ANSWER_MAX)
    throw new Refused(
      `The address of these acts has ${answer.address.length} characters. At most ${ANSWER_MAX} fit an answer: propose less at a time.`,
    )
  return answer
}

type Form = { path: string; values: Record<string, string>; about: object }

async function formOf(act: Act, find: FindRecord, reader: Reader, refuse: (why: string) => Refused): Promise<Form> {
  const { needs, may } = takenBy(act.act)
  const given = Object.keys(act).filter((name) => name !== 'act' && act[name] !== undefined)
  const missing = needs.find((name) => (act[name] ?? '').trim() === '')
  if (missing !== undefined) throw refuse(`${missing} is missing.`)
  const other = given.find((name) => ![...needs, ...may].includes(name))
  if (other !== undefined) throw refuse(`it takes no ${other}.`)
  if (act.on !== undefined && !z.iso.date().safeParse(act.on).success) throw refuse('on must be a day, YYYY-MM-DD.')
  const kind = kindAddedBy(act.act)
  const { record: id, field, value } = act
  if (kind !== undefined) {
    if (act.tag !== undefined) await isNamed(reader, '/tags', act.tag, refuse, 'tag')
    const values = valuesOf(act, ['name', ...addressFields, 'notes', ...afterAdding])
    return { path: `/${kind.path}/add`, values, about: { kind: kind.name } }
  }
  const found = await find(id as string)
  if (found === undefined) throw refuse('there is no record with this id.')
  const about = { kind: found.kind.name, record: found.row.id }
  const path = addressOf(found.kind, found.row.id)
  if (act.act !== 'correct_field') {
    if (act.stage !== undefined) await isNamed(reader, '/stages', act.stage, refuse, 'stage')
    if (act.tag !== undefined) await isNamed(reader, '/tags', act.tag, refuse, 'tag')
    return { path, values: valuesOf(act, proposed), about }
  }
  const fields: readonly Field[] = editableFields<Field>(kindFields[found.kind.name], 'patch')
  if (!fields.some(({ name }) => name === field))
    throw refuse(`field must be one of ${fields.map(({ name }) => name).join(', ')}.`)
  return { path, values: { [field as string]: value as string }, about }
}

const valuesOf = (act: Act, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [name, act[name]]).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

async function isNamed(reader: Reader, path: string, name: string, refuse: (why: string) => Refused, what: string) {
  const { body } = await reader.read<{ name: string; archived?: boolean }[]>(path)
  if (!body.some((one) => one.archived !== true && fold(one.name) === fold(name.trim())))
    throw refuse(`there is no ${what} with this name.`)
}
