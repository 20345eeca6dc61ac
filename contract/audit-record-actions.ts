import { z } from 'zod'
import { counted, forFellows, forManagers, named, ofChange, type Wording } from './audit-entry.ts'
import { kinds } from './kinds.ts'
import { featureActions } from './record-features.ts'

// What is done to records, stages and imports.

const detail = ofChange
const ofPair = { detail: { other: z.uuid() }, feed: 'none' } as const
const enriched = { providers: z.record(z.string(), z.string()), notice: z.string() }
const hints = z.record(z.string(), z.string())

const ofRecord = {
  create: forFellows('addition', ({ of }) => `added ${of()}`, { detail, feed: 'created' }),
  update: forFellows('edit', ({ isEmpty, of }) => (isEmpty ? `saved ${of('it')} without changes` : `edited ${of()}`), {
    detail,
    feed: 'changed',
  }),
  enrich: forFellows('refresh', ({ isEmpty, of }) => `refreshed ${of()}${isEmpty ? ', and nothing changed' : ''}`, {
    detail: { ...ofChange, ...enriched, hints },
    feed: 'changed',
  }),
  delete: forFellows('deletion', ({ of }) => `deleted ${of()}`, {
    detail: { ...ofChange, unused: z.boolean() },
    feed: 'deleted',
  }),
  restore: forFellows('restoration', ({ of }) => `brought ${of()} back`, { detail, feed: 'restored' }),
  merge: forFellows(
    'merge',
    ({ isDuplicate, of, other }) => (isDuplicate ? `merged ${of()} into ${other()}` : `merged ${other()} into ${of()}`),
    { detail, feed: 'merged' },
  ),
  'undo-merge': forFellows('undo of a merge', ({ at, other }) => `undid the merge${at('of')} with ${other()}`, {
    detail,
    feed: 'unmerged',
  }),
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
  inform: forFellows('mark as informed', ({ of }) => `marked ${of('this person')} as informed`, {
    detail,
    feed: 'changed',
  }),
  'undo-inform': forFellows(
    'undo of a mark as informed',
    ({ of }) => `took back that ${of('this person')} was informed`,
    { detail, feed: 'changed' },
  ),
  purge: forManagers('final deletion', ({ of }) => `deleted ${of()} for good`, { detail, feed: 'erased' }),
  overrule: forManagers(
    'address on the list of people not to keep',
    ({ of }) => `kept an address of ${of()} that is on the list of people not to keep`,
    { detail: { reason: z.string() }, feed: 'none' },
  ),
  'preview-merge': forManagers('preview of a merge', 'previewed a merge', { feed: 'none' }),
}

const ofBulk = {
  bulk: forManagers(
    'change of many records',
    ({ detail }) =>
      `${detail.status === 'passed' ? 'passed on' : 'changed'} ${counted(detail.changed, 'record')} at once`,
    {
      detail: {
        ...{ addTag: z.guid(), stage: z.guid().nullable(), responsible: z.guid().nullable() },
        ...{ status: z.literal('passed'), reason: z.guid(), lookAgainOn: z.string() },
        ...{ changed: z.int(), skipped: z.int() },
      },
    },
  ),
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
  if (kind === 'week') return `the list of week ${detail.week}`
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

export const recordActions = { ...ofRecord, ...featureActions, ...ofBulk, ...ofImport, ...ofFiles }
