import { Button, Paper, Title } from '@mantine/core'
import type { PastExport } from '#contract/privacy.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { exportInWords, filterInWords } from './export-words.ts'

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
        <p>These files may hold the person. Ask those who made them to delete them.</p>
        <ul style={{ overflowWrap: 'anywhere' }}>
          {exports.map((one) => (
            <li key={one.at + one.what + one.by}>
              <time dateTime={one.at}>{formatMoment(one.at)}</time> · <bdi>{one.by || 'the operator'}</bdi> ·{' '}
              {exportInWords(one.what)} · {filterInWords(one.filter)}
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
