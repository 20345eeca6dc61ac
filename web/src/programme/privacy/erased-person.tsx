import { Button, Paper, Title } from '@mantine/core'
import { kinds } from '#contract/kinds.ts'
import { capital } from '#contract/plain-text.ts'
import type { PastExport } from '#contract/privacy.ts'
import { formatMoment } from '#web/lib/dates.ts'

/** The end of an erasure: the files that may still hold the person. */
export const ErasedPerson = ({ exports, onEnd }: { exports: PastExport[]; onEnd: () => void }) => (
  <Paper component="section" withBorder p="lg" className="stack-12" aria-label="Erased">
    <Title order={2} size="h4">
      Erased
    </Title>
    {exports.length === 0 ? (
      <p>No file was exported since the record came.</p>
    ) : (
      <>
        <p>These files and mails may hold the person. Ask those who have them to delete them.</p>
        <ul style={{ overflowWrap: 'anywhere' }}>
          {exports.map((one) => (
            <li key={one.at + one.what + one.by}>
              <time dateTime={one.at}>{formatMoment(one.at)}</time> · <bdi>{one.by || 'the operator'}</bdi> ·{' '}
              {exportInWords(one.what)}
              {one.what !== 'daily-mail' && ` · ${filterInWords(one.filter)}`}
            </li>
          ))}
        </ul>
      </>
    )}
    <div>
      <Button variant="default" onClick={onEnd}>
        Search for someone else
      </Button>
    </div>
  </Paper>
)

// An export in words: its act and kind, and its filter, as the history has them.

const WHAT: Record<string, string> = {
  ...Object.fromEntries(kinds.map(({ name, path }) => [`export ${name}`, path])),
  'export history': 'the history',
  'export import': 'refused rows of an import',
  'export-calendar': 'a calendar file',
  'daily-mail': 'daily mails that named the person, the last at this time',
  webhook: 'rings of a webhook, without content, the last at this time',
  channel: 'messages to a channel, with numbers, the last at this time',
  token: 'a program with an access token, last used at this time',
}

const exportInWords = (what: string): string => capital(WHAT[what] ?? what.replaceAll('-', ' '))

/** Parts of a detail that filter nothing. */
const ABOUT = ['count', 'isComplete', 'format']

function filterInWords(filter: Record<string, unknown>): string {
  const parts = Object.entries(filter).filter(([name]) => !ABOUT.includes(name))
  const words = parts.map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const count = typeof filter.count === 'number' ? `, ${filter.count} rows` : ''
  return `${words.length === 0 ? 'all' : words.join(', ')}${count}`
}
