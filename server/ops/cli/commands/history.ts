import { parseArgs } from 'node:util'
import { z } from 'zod'
import { csvLine } from '#server/audit-log/csv.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { type AuditRow, type AuditSearch, eachAuditEntry, searchAuditLog } from '#server/audit-log/search.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE, type OperatorContext } from '../command.ts'
import { cut } from '../lines.ts'

const LIMIT = 50

const SEARCH = {
  person: { type: 'string' },
  action: { type: 'string' },
  kind: { type: 'string' },
  id: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  limit: { type: 'string' },
  format: { type: 'string' },
} as const

export const history: Command = {
  name: 'history',
  usage:
    'search|export [--person EMAIL] [--action ACTION] [--kind KIND] [--id ID] [--since TIME] [--until TIME] [--limit N] [--format csv|jsonl]',
  summary: 'shows the audit log, newest first; export writes all of it, oldest first',
  async run(context, args) {
    const asked = read(args)
    if (asked === undefined) return EXIT_USAGE
    const { verb, values } = asked
    const search = searchOf(values)
    if (verb === 'search' && values.format === undefined) return show(context, search, limitOf(values.limit))
    if (verb === 'export' && values.limit === undefined) return exportAll(context, search, values.format ?? 'csv')
    return EXIT_USAGE
  },
}

type Values = { [Name in keyof typeof SEARCH]?: string | undefined }

function read(args: string[]): { verb: string | undefined; values: Values } | undefined {
  try {
    const { values, positionals } = parseArgs({ args, options: SEARCH, allowPositionals: true })
    return positionals.length === 1 ? { verb: positionals[0], values } : undefined
  } catch {
    return undefined
  }
}

const searchOf = ({ person, action, kind, id, since, until }: Values): AuditSearch => {
  if (id !== undefined && !z.uuid().safeParse(id).success) throw new StartupError(`"${id}" is not an id.`)
  return { person, actions: action?.split(','), kind, id, since: timeOf(since), until: timeOf(until) }
}

const timeOf = (text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) {
    throw new StartupError(`"${text}" is not a time. Write it as 2026-03-18 or 2026-03-18T10:32:00Z.`)
  }
  return time
}

const limitOf = (text = String(LIMIT)): number => {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new StartupError('The limit must be a whole number from 1 to 99999.')
  return Number(text)
}

async function show({ db, out }: OperatorContext, search: AuditSearch, limit: number): Promise<number> {
  for (const row of await searchAuditLog(db, search, limit)) out(cut(inWords(row), '  ').join('\n'))
  return 0
}

/** Text that people typed may control a terminal; as JSON it cannot. */
const quoted = (value: unknown) => JSON.stringify(value).replaceAll(/[\x7f-\x9f\u2028-\u202e]/g, '?')

const inWords = ({ at, accountEmail, ip, action, kind, objectId, result, before, after, detail }: AuditRow) =>
  [
    at,
    accountEmail === null ? '-' : quoted(accountEmail).slice(1, -1),
    ip ?? '-',
    result === 'refused' ? `refused ${action}` : action,
    ...(kind === null ? [] : [kind]),
    ...(objectId === null ? [] : [objectId]),
    ...(before === null ? [] : [`before ${quoted(before)}`]),
    ...(after === null ? [] : [`after ${quoted(after)}`]),
    ...(detail === null ? [] : [quoted(detail)]),
  ].join('  ')

const COLUMNS = [
  'id',
  'at',
  'accountId',
  'accountEmail',
  'ip',
  'requestId',
  'action',
  'kind',
  'objectId',
  'result',
  'before',
  'after',
  'detail',
] as const satisfies (keyof AuditRow)[]

async function exportAll({ db, out }: OperatorContext, search: AuditSearch, format: string): Promise<number> {
  if (format !== 'csv' && format !== 'jsonl') return EXIT_USAGE
  // The audit log records each export too.
  await recordAuditEntry(db, { action: 'export', kind: 'history', detail: { ...search, format } })
  // Lines end as in RFC 4180. The line itself brings the other half of the line ending.
  if (format === 'csv') out(`${csvLine([...COLUMNS])}\r`)
  for await (const rows of eachAuditEntry(db, search)) {
    for (const row of rows)
      out(format === 'csv' ? `${csvLine(COLUMNS.map((name) => row[name]))}\r` : JSON.stringify(row))
  }
  return 0
}
