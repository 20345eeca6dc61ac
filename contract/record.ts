import { z } from 'zod'
import { RecordEnrichment } from './enrichment.ts'
import { editableFields, type Field } from './fields.ts'
import { filterShapes } from './filter-shapes.ts'
import { type ParameterName, type ParameterValue, sharedFilters } from './filters.ts'
import { FinderSummary } from './finder.ts'
import {
  NAME_MAX,
  NOTES_MAX,
  NOTES_PREVIEWED,
  PAGE_MAX,
  RATING_MAX,
  RATING_MIN,
  SEARCH_MAX,
  URL_MAX,
} from './limits.ts'
import { Note } from './note.ts'
import { Pipeline } from './stage.ts'
import { RecordTag } from './tags.ts'
import { optionalText, optionalWebAddress, requiredName, requiredText, webAddress } from './text.ts'
import { isEmailAddress, toCount, toYear } from './typed-values.ts'

// What founders and companies share on the wire. Each kind spreads these parts into its own schemas, and the shapes of
// its own columns.

export const recordName = requiredName('Name', NAME_MAX)
export const recordNotes = requiredText('Notes', NOTES_MAX, { missing: 'Notes are required' })
export const recordUrl = (label: string, example: string) => webAddress(label, URL_MAX, example)

const RATING_RULE = `Rating must be a whole number from ${RATING_MIN} to ${RATING_MAX}`
export const rating = z
  .number({ error: RATING_RULE })
  .int(RATING_RULE)
  .min(RATING_MIN, RATING_RULE)
  .max(RATING_MAX, RATING_RULE)

/** In lower case, so that two spellings are one id. */
export const RecordId = z.uuid({ error: 'There is no record with this id' }).toLowerCase()
export const RecordParams = z.object({ id: RecordId })

const recordVersion = z.number({ error: 'Version must be a whole number' }).int('Version must be a whole number')

/** What an edit may change. Both fields are optional. `version` is the version that the person was editing. */
export const patchParts = {
  notes: recordNotes.optional(),
  rating: rating.optional(),
  version: recordVersion.optional(),
}

const RecordPatch = z.object(patchParts)
export type RecordPatch = z.infer<typeof RecordPatch>

/** Corrected values by the names of their fields, and the version that the person was correcting. */
export type RecordCorrection = { version: number; [field: string]: string | number | undefined }

const LIMIT_RULE = `Limit must be a whole number from 1 to ${PAGE_MAX}`

/** The orders of a list. Equal ones are newest first; by `stageAge` oldest first, as the longest in their stage are. */
export const sortNames = ['newest', 'rating', 'lastNote', 'stageAge'] as const
export type SortName = (typeof sortNames)[number]

/** The query of a list: `limit` and `cursor` page. */
export const listQueryParts = {
  search: optionalText('Search', SEARCH_MAX).optional().meta({ description: 'Text that the records have' }),
  limit: z
    .string({ error: LIMIT_RULE })
    .regex(/^\d{1,3}$/, LIMIT_RULE)
    .transform(Number)
    .pipe(z.number().min(1, LIMIT_RULE).max(PAGE_MAX, LIMIT_RULE))
    .optional()
    .meta({ description: 'The length of a page', type: 'integer', minimum: 1, maximum: PAGE_MAX }),
  cursor: z
    .string({ error: 'Cursor must be given once' })
    .max(200, 'This cursor is not valid')
    .optional()
    .meta({ description: 'From the header `link` of the page before, with the same other parameters' }),
  in: z.enum(['mentions', 'similar', 'all'], { error: 'In must be mentions, similar or all' }).optional().meta({
    description:
      'What to search beyond the search itself, whose results are left out: `mentions` for public data and notes, `similar` for similar names. With `all`, the search itself comes first, then what a screen shows below it. Returns at most 50 records, and has no further pages',
  }),
  ...filterShapes(sharedFilters),
  sort: z
    .enum(sortNames, { error: `Sort must be ${sortNames.join(', ')}` })
    .optional()
    .meta({
      description:
        '`newest` first, the highest `rating`, the newest note of a fellow (`lastNote`), or the longest in their stage (`stageAge`; those whose time does not run come last, oldest first)',
      default: 'newest',
    }),
}

const ListQuery = z.object(listQueryParts)
/** Includes the filters of each kind. */
export type ListQuery = z.infer<typeof ListQuery> & { [Name in ParameterName]?: ParameterValue<Name> | undefined }

/** The query of a record's notes, paged like lists. */
export const NotesQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

/** The fields of every record, whatever its kind. */
export const recordParts = {
  id: z.uuid(),
  name: z.string(),
  notes: z.string(),
  rating: z.number().int(),
  isRated: z.boolean().meta({ description: 'False for an imported record without a rating, whose `rating` is 5' }),
  createdBy: z.string().nullable().meta({ description: "The creator's name, else e-mail, else null" }),
  createdAt: z.iso.datetime(),
  additionalInfo: z.string().nullable().meta({ description: 'Enrichment, as JSON text' }),
  enrichment: RecordEnrichment,
  notesCount: z.number().int().meta({ description: 'The number of notes by fellows' }),
  notesPreview: z.array(Note).meta({ description: `The newest ${NOTES_PREVIEWED}` }),
  tags: z.array(RecordTag).optional().meta({ description: 'By name. Absent without one' }),
  version: z.number().int().meta({ description: 'Counts the edits by people' }),
  finders: FinderSummary,
  notesEditedBy: z.string().optional().meta({ description: 'Who edited `notes` last, if not the creator' }),
  notesEditedAt: z.iso.datetime().optional(),
  opinionCount: z.int().optional().meta({
    description:
      'In the answer of a record alone, where there are opinions. Two of one fellow that a merge brings together are two',
  }),
  pipeline: Pipeline.optional().meta({ description: 'Absent before the first change' }),
  can: z
    .object({
      edit: z.boolean(),
      delete: z.boolean(),
      whyNotDelete: z.string().optional().meta({ description: 'Who can delete it, where the caller cannot' }),
    })
    .meta({ description: 'What the caller may do' }),
}

type Rule = NonNullable<Field['rule']>
type Required = { rule: { isRequired: true } }

/** The columns of a kind that others do not share. */
export type OwnColumn<Fields extends readonly Field[]> = Exclude<
  Extract<Fields[number], { isColumn: true }>,
  { name: keyof typeof recordParts }
>
type OwnTyped<Fields extends readonly Field[]> = Extract<OwnColumn<Fields>, { rule: Rule }>
type In<One extends Field, Way extends Field['editableBy'][number]> = Way extends One['editableBy'][number]
  ? One['name']
  : never

/** A field on the wire of corrections. */
type Typed<One extends Field> = One extends { rule: { reads: 'year' | 'count' } } ? string | number : string

/** The fields of a kind: on the wire, in the form that adds a record, in an edit, and in a correction. */
type OwnShapes<Fields extends readonly Field[]> = {
  record: { [One in OwnColumn<Fields> as One['name']]: One extends Required ? z.ZodString : z.ZodNullable<z.ZodString> }
  input: {
    [One in OwnTyped<Fields> as In<One, 'create'>]: One extends Required
      ? z.ZodType<string>
      : z.ZodOptional<z.ZodType<string>>
  }
  patch: {
    [One in OwnTyped<Fields> as In<One, 'put'>]: z.ZodOptional<z.ZodType<string>>
  }
  correction: {
    [One in Fields[number] as In<One, 'patch'>]: z.ZodOptional<z.ZodType<Typed<One>>>
  } & { version: typeof recordVersion }
}

/** A column that each kind of record declares itself. A required one is never null on the wire. */
export const isOwnColumn = ({ name, isColumn }: Field): boolean => isColumn === true && !(name in recordParts)

export function ownShapes<const Fields extends readonly Field[]>(fields: Fields): OwnShapes<Fields> {
  const own: Field[] = fields.filter(isOwnColumn)
  const typedBy = (way: Field['editableBy'][number]) =>
    editableFields(own, way).flatMap(({ rule, ...field }) => (rule === undefined ? [] : [{ ...field, rule }]))
  return {
    record: Object.fromEntries(
      own.map(({ name, rule }) => [name, rule?.isRequired ? z.string() : z.string().nullable()]),
    ),
    input: Object.fromEntries(
      typedBy('create').map(({ name, rule }) => [name, rule.isRequired ? textOf(rule) : textOf(rule).optional()]),
    ),
    patch: Object.fromEntries(typedBy('put').map(({ name, rule }) => [name, textOf(rule).optional()])),
    correction: {
      ...Object.fromEntries(
        editableFields(fields, 'patch').map(({ name, rule }: Field) => [
          name,
          (rule === undefined ? recordName : typedValue(rule)).optional(),
        ]),
      ),
      version: recordVersion,
    },
  } as unknown as OwnShapes<Fields>
}

function textOf({ label, max, example, isRequired }: Rule): z.ZodType<string> {
  if (example !== undefined) return (isRequired ? webAddress : optionalWebAddress)(label, max, example)
  return (isRequired ? requiredText : optionalText)(label, max)
}

/** How a value of another form than plain text is read, and what is said of one that cannot be. */
const FORMS = {
  email: {
    read: (value: string | number) => (isEmailAddress(String(value)) ? value : undefined),
    sentence: 'Enter an email address, such as ada@mit.edu',
  },
  year: { read: toYear, sentence: 'The year must be a whole number, not in the future' },
  count: { read: toCount, sentence: 'Employees must be a number or a range, such as 51-200' },
}

/** The value of a correction: a text, or in the form that its rule names. `"2019"` is the year 2019. */
function typedValue(rule: Rule): z.ZodType<string | number> {
  if (rule.reads === undefined || rule.reads === 'place') return textOf(rule)
  const { read, sentence } = FORMS[rule.reads]
  const text = optionalText(rule.label, rule.max)
  const given: z.ZodType<string | number> =
    rule.reads === 'email' ? text : z.union([z.number(), text], { error: sentence })
  return given
    .refine((value) => value === '' || read(value) !== undefined, { error: sentence })
    .transform((value) => (value === '' ? '' : (read(value) ?? '')))
}
