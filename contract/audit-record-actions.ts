import { z } from 'zod'
import { counted, forFellows, forManagers, forOperator, named, ofChange, type Wording } from './audit-entry.ts'
import { kinds } from './kinds.ts'

// What is done to records, tags, stages and imports.

const detail = ofChange
const ofLink = { detail: { ...ofChange, linkedId: z.uuid() }, shows: 'role' }
const ofNote = { detail, shows: 'note' }
const ofTag = { detail, shows: 'tag' }
const ofPair = { detail: { other: z.uuid() } }
const enriched = { providers: z.record(z.string(), z.string()), notice: z.string() }
const hints = z.record(z.string(), z.string())

const ofRecord = {
  create: forFellows('addition', ({ of }) => `added ${of()}`, { detail }),
  update: forFellows('edit', ({ isEmpty, of }) => (isEmpty ? `saved ${of('it')} without changes` : `edited ${of()}`), {
    detail,
  }),
  enrich: forFellows('refresh', ({ isEmpty, of }) => `refreshed ${of()}${isEmpty ? ', and nothing changed' : ''}`, {
    detail: { ...ofChange, ...enriched, hints },
  }),
  delete: forFellows('deletion', ({ of }) => `deleted ${of()}`, {
    detail: { ...ofChange, unused: z.boolean() },
  }),
  'add-note': forFellows(
    'new note',
    ({ isEmpty, at }) => `added a note${at('on')}${isEmpty ? ', which has been deleted' : ''}`,
    ofNote,
  ),
  'update-note': forFellows('edit of a note', ({ at }) => `edited a note${at('on')}`, ofNote),
  'delete-note': forFellows('deletion of a note', ({ at }) => `deleted a note${at('on')}`, ofNote),
  restore: forFellows('restoration', ({ of }) => `brought ${of()} back`, { detail }),
  merge: forFellows(
    'merge',
    ({ isDuplicate, of, other }) => (isDuplicate ? `merged ${of()} into ${other()}` : `merged ${other()} into ${of()}`),
    { detail },
  ),
  'undo-merge': forFellows('undo of a merge', ({ at, other }) => `undid the merge${at('of')} with ${other()}`, {
    detail,
  }),
  'add-finder': forFellows('meeting', ({ of }) => `met ${of('them')} too`),
  'delete-finder': forFellows('withdrawn meeting', ({ of }) => `took back having met ${of('them')}`),
  'dismiss-duplicate': forFellows(
    'dismissal of a duplicate',
    ({ at, other }) => `marked ${other('another record')} as not the same${at('as')}`,
    ofPair,
  ),
  'undo-dismissal': forFellows(
    'undo of a dismissal',
    ({ at, other }) => `marked ${other('another record')} as possibly the same${at('as')} again`,
    ofPair,
  ),
  'add-link': forFellows('link', ({ at, other }) => `linked ${other()}${at('to')}`, ofLink),
  'update-link': forFellows(
    'role of a link',
    ({ at, other }) => `changed the role of the link to ${other()}${at('of')}`,
    ofLink,
  ),
  'delete-link': forFellows(
    'deletion of a link',
    ({ at, other }) => `removed the link to ${other()}${at('from')}`,
    ofLink,
  ),
  inform: forFellows('mark as informed', ({ of }) => `marked ${of('this person')} as informed`, { detail }),
  'undo-inform': forFellows(
    'undo of a mark as informed',
    ({ of }) => `took back that ${of('this person')} was informed`,
    { detail },
  ),
  'add-tag': forFellows('tag', ({ after, at }) => `added ${named('tag', after.tag)}${at('to')}`, ofTag),
  'delete-tag': forFellows(
    'removal of a tag',
    ({ before, at }) => `removed ${named('tag', before.tag)}${at('from')}`,
    ofTag,
  ),
  'update-pipeline': forFellows(
    'change of the pipeline',
    ({ isEmpty, at, of }) =>
      isEmpty ? `saved the pipeline${at('of')} without changes` : `changed the pipeline of ${of()}`,
    { detail },
  ),
  purge: forManagers('final deletion', ({ of }) => `deleted ${of()} for good`, { detail }),
  overrule: forManagers(
    'address on the list of people not to keep',
    ({ of }) => `kept an address of ${of()} that is on the list of people not to keep`,
    { detail: { reason: z.string() } },
  ),
  'preview-merge': forManagers('preview of a merge', 'previewed a merge'),
  'change-tags': forManagers('change of tags', 'changed the tags of a record'),
  'give-opinion': forOperator('opinion', ({ at }) => `gave an opinion${at('on')}`),
  'change-opinion': forOperator('change of an opinion', ({ at }) => `changed their opinion${at('on')}`),
  'delete-opinion': forOperator('deletion of an opinion', ({ at }) => `deleted their opinion${at('on')}`),
  'reveal-opinions': forManagers('reveal of opinions', ({ at }) => `revealed the opinions${at('on')}`),
}

const ofBulk = {
  bulk: forManagers('change of many records', ({ detail }) => `changed ${counted(detail.changed, 'record')} at once`, {
    detail: {
      ...{ addTag: z.guid(), stage: z.guid().nullable(), responsible: z.guid().nullable() },
      ...{ changed: z.int(), skipped: z.int() },
    },
  }),
  'undo-bulk': forManagers(
    'undo of a change of many records',
    ({ detail }) => `undid a change of ${counted(detail.restored, 'record')}`,
    { detail: { restored: z.int(), kept: z.int() } },
  ),
  'create-stage': forManagers('new stage', ({ after }) => `added ${named('stage', after.name)}`),
  'update-stage': forManagers('change of a stage', ({ of }) => `changed ${of()}`),
  'update-passing-reasons': forManagers('change of the reasons for passing', 'changed the reasons for passing'),
}

const file = ({ detail }: Wording) => named('file', detail.name)
const ofFile = { name: z.string(), state: z.string(), rows: z.int() }

const ofImport = {
  upload: forManagers('upload of a file', (words) => `uploaded ${file(words)}`, {
    detail: { name: z.string(), bytes: z.int() },
  }),
  import: forManagers('import', (words) => `imported ${file(words)}`, {
    detail: { name: z.string(), kind: z.string(), duplicates: z.string(), rows: z.int() },
  }),
  'revert-import': forManagers('revert of an import', (words) => `reverted the import of ${file(words)}`, {
    detail: { name: z.string(), kind: z.string(), counts: z.record(z.string(), z.int()) },
  }),
  'look-up': forManagers('lookup of imported records', (words) => `looked up the records of ${file(words)}`, {
    detail: { name: z.string() },
  }),
  'add-rows': forManagers(
    'rows added to an import',
    (words) => `added ${counted(words.detail.rows, 'row')} of ${file(words)}`,
    { detail: ofFile },
  ),
  'cancel-import': forManagers('end of an import', (words) => `stopped the import of ${file(words)}`, {
    detail: ofFile,
  }),
  'delete-import': forManagers('deletion of an import', (words) => `deleted the import of ${file(words)}`, {
    detail: ofFile,
  }),
}

/** What a file has. */
function exported({ kind, detail }: Wording): string {
  if (kind === 'history') return 'the history'
  if (kind === 'import') return 'the refused rows of an import'
  const known = kinds.find(({ name }) => name === kind)
  return counted(detail.count, kind ?? 'record', known?.path)
}

/** A file, with its filter. */
const ofExport = {
  isExport: true as const,
  detail: z.looseObject({ count: z.int(), isComplete: z.boolean() }).partial(),
}

const ofFiles = {
  export: { ...forManagers('export', (words) => `exported ${exported(words)}`), ...ofExport },
  'export-calendar': {
    ...forManagers(
      'export of next steps',
      ({ detail }) => `exported ${counted(detail.count, 'next step')} as a calendar`,
    ),
    ...ofExport,
  },
}

export const recordActions = { ...ofRecord, ...ofBulk, ...ofImport, ...ofFiles }
