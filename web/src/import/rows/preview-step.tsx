import { Button, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Import } from '#contract/import.ts'
import { importKindNamed } from '#contract/import-kinds.ts'
import { runImport } from '#web/import/api.ts'
import { hasUnmatched, unmatchedWords } from '#web/import/columns/matches.ts'
import { useOptions } from '#web/import/columns/use-options.ts'
import classes from '#web/import/import.module.css'
import { ImportProgress } from '#web/import/progress.tsx'
import type { StepProps } from '#web/import/steps.tsx'
import { countOf, dialectWords, labelOf, recordsOf } from '#web/import/words.ts'
import { sentenceOf } from '#web/lib/http.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { PreviewOptions } from './preview-options.tsx'
import { Refused } from './refused.tsx'
import { Rows } from './rows.tsx'

/** The fourth step: every row as it will be, before anything is written. */
export function PreviewStep({ import: shown, goTo }: StepProps) {
  const { options, change, error, isBusy } = useOptions(shown)
  const run = useMutation(runImport(shown))
  const count = shown.counts.created + shown.counts.updated

  return (
    <>
      <Paper withBorder className={classes.form ?? ''}>
        <dl className={classes.read}>
          <Read label="Read as" value={`${importKindNamed(shown.kind).plural}, ${dialectWords(shown.dialect)}`}>
            <Button variant="default" size="xs" aria-label="Change how the file is read" onClick={() => goTo('kind')}>
              Change
            </Button>
          </Read>
          <Read label="Columns" value={columnWords(shown)}>
            <Button variant="default" size="xs" aria-label="Change the columns" onClick={() => goTo('columns')}>
              Change
            </Button>
          </Read>
          {hasUnmatched(shown) && (
            <Read label="Not known here" value={unmatchedWords(shown)}>
              <Button variant="default" size="xs" aria-label="Match the values" onClick={() => goTo('columns')}>
                Match
              </Button>
            </Read>
          )}
        </dl>
        <PreviewOptions kind={shown.kind} options={options} onChange={change} />
        <div role="alert" className={classes.alert}>
          {error && (
            <Text c="var(--mantine-color-error)">{sentenceOf(error, "We couldn't save this. Try again.")}</Text>
          )}
        </div>
        <div className={classes.acts}>
          <Text size="sm" role="status" className={classes.started ?? ''}>
            {!isBusy &&
              count === 0 &&
              (shown.kind === 'note'
                ? 'No row of this file adds a note.'
                : 'No row of this file adds or changes a record.')}
          </Text>
          <LoadingButton disabled={isBusy || count === 0} loading={run.isPending} onClick={() => run.mutate()}>
            {isBusy || count === 0 ? 'Import' : `Import ${recordsOf(shown.kind, shown.counts.notes ?? count)}`}
          </LoadingButton>
        </div>
      </Paper>
      {shown.state === 'reading' ? (
        <ImportProgress import={shown} />
      ) : (
        <>
          <Refused import={shown} />
          <Rows import={shown} />
        </>
      )}
    </>
  )
}

const Read = ({ label, value, children }: { label: string; value: string; children: React.ReactNode }) => (
  <div className={classes.readLine}>
    <dt>{label}</dt>
    <dd>
      <span>{value}</span> {children}
    </dd>
  </div>
)

/** `Name, LinkedIn, Rating; 2 kept in notes; 1 left out`. */
function columnWords({ kind, mapping, rest, columns }: Import): string {
  const fields = importKindNamed(kind).fields.filter(({ name }) => mapping[name] !== undefined)
  const mapped = new Set(Object.values(mapping).flat())
  const others = columns.flatMap((_, at) => (mapped.has(at) ? [] : [rest[at] === 'notes']))
  const kept = others.filter(Boolean).length
  const parts = [
    fields.map(labelOf).join(', '),
    kept > 0 && `${countOf(kept, 'column')} kept in notes`,
    others.length > kept && `${countOf(others.length - kept, 'column')} left out`,
  ]
  return parts.filter(Boolean).join('; ')
}
