import { Button, Paper, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Import } from '#contract/import.ts'
import { getLookUps, startLookUps } from './api.ts'
import classes from './import.module.css'
import { countOf } from './words.ts'

/** Looks up the records that an import has added, once, if a source is configured. */
export function LookUps({ import: shown }: { import: Import }) {
  const { data } = useQuery(getLookUps(shown))
  const start = useMutation(startLookUps(shown))
  if (!data || data.count === 0) return null
  const isAsked = data.askedAt !== null
  return (
    <Paper withBorder className={classes.form ?? ''}>
      <Text size="sm" role="status">
        {isAsked
          ? 'We are looking up these records. Results will appear on their cards.'
          : 'Imported records are not looked up in public sources automatically. A lookup runs in the background, within your daily limit. The rest follows the next day.'}
      </Text>
      {!isAsked && (
        <div className={classes.acts}>
          <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            Look up {countOf(data.count, 'record')}
          </Button>
        </div>
      )}
    </Paper>
  )
}
