import type { AccessReport } from '#contract/privacy.ts'
import { inWords, sourceInWords } from './report-words.ts'

// An access report as a page of its own: one file without scripts, to read, print and save.

type Row = AccessReport['tables'][number]['rows'][number]
type Sources = Record<string, { provider?: unknown; at?: unknown } | undefined>

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 800px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere }
article { border: 1px solid #8888; border-radius: 8px; padding: 12px 16px; margin: 12px 0; break-inside: avoid-page }
dl { margin: 0 }
dl dl, ul { margin: 0 0 0 16px; padding: 0 }
dt { font-weight: 600; margin-top: 6px }
dd { margin: 0; white-space: pre-wrap }
small { display: block }
img { max-width: 256px; height: auto; border-radius: 8px }
@media print { body { max-width: none; padding: 0 } }
`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
/** Times without a zone are UTC. */
const timeInWords = (text: string): string => {
  const time = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(time.getTime()) ? text : `${moment.format(time)} UTC`
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isEmpty))

/** A value as HTML. An object is a list of its names and values. */
function shown(value: unknown, sources: Sources = {}): string {
  if (Array.isArray(value)) {
    return `<ul>${value
      .filter((item) => !isEmpty(item))
      .map((item) => `<li>${shown(item)}</li>`)
      .join('')}</ul>`
  }
  if (typeof value === 'object' && value !== null) return listed(value as Row, sources)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  return escaped(TIME.test(text) ? timeInWords(text) : text)
}

const listed = (row: Row, sources: Sources = {}): string => {
  const parts = Object.entries(row)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `<dt>${escaped(inWords(name))}</dt><dd>${shown(value)}${sourceOf(sources[name])}</dd>`)
  return `<dl>${parts.join('')}</dl>`
}

const sourceOf = (source: Sources[string]): string => {
  if (typeof source?.provider !== 'string') return ''
  const at = typeof source.at === 'string' ? `, ${timeInWords(source.at)}` : ''
  return `<small>Source: ${escaped(sourceInWords(source.provider) + at)}</small>`
}

const sourcesIn = (row: Row | undefined): Sources => (row?.enrichment as { sources?: Sources } | null)?.sources ?? {}

/** A row. Each public value of a record has its source and its time. */
function article(table: string, row: Row, recordOf: (id: unknown) => Row | undefined): string {
  if (table === 'records') {
    const { additionalInfo, enrichment, ...own } = row
    const sources = sourcesIn(row)
    const { sources: _listed, ...state } = (enrichment as Row | null) ?? {}
    const rest = { ...own, ...(!isEmpty(state) && { lookUps: state }) }
    const info = isEmpty(additionalInfo)
      ? ''
      : `<dt>${inWords('additionalInfo')}</dt><dd>${shown(additionalInfo, sources)}</dd>`
    return `<article>${listed(rest, sources).replace(/<\/dl>$/, `${info}</dl>`)}</article>`
  }
  if (table === 'pictures') {
    const { bytes, ...about } = row
    const source = sourcesIn(recordOf(row.recordId)).profile_picture_url
    const image = `<img alt="Picture, ${escaped(String(row.size))} pixels wide" src="data:image/webp;base64,${escaped(String(bytes))}">`
    return `<article>${image}${sourceOf(source)}${listed(about)}</article>`
  }
  return `<article>${listed(row)}</article>`
}

/** The report as one HTML file. */
export function reportPage({ createdAt, records, tables }: AccessReport): string {
  const rows = tables.find(({ table }) => table === 'records')?.rows ?? []
  const recordOf = (id: unknown) => rows.find((row) => row.id === id)
  const title = ['Access report', ...new Set(records.map(({ name }) => name))].join(' · ')
  const sections = tables.map(({ table, label, rows: held }) => {
    const filled = held.filter((row) => !isEmpty({ ...row, present: null }))
    const about = filled.length === 0 ? '<p>Computed from the other parts, or of technical use only.</p>' : ''
    return `<section><h2>${escaped(label)}</h2>${about}${filled.map((row) => article(table, row, recordOf)).join('')}</section>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>Everything that is held on this person, on ${escaped(timeInWords(createdAt))}. Other people are named by their role.</p>
${sections.join('\n')}
</main>
</body>
</html>
`
}
