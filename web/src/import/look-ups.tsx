import { Button, Paper, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Import } from '#contract/import.ts'
import { getLookUps, startLookUps } from './api.ts'
import classes from './import.module.css'
import { countOf } from './words.ts'

/** Looks up the records that an import has added, once, where a source can be asked about them. */
export function LookUps({ import: shown }: { import: Import }) {
  const { data } = useQuery(getLookUps(shown))
  const start = useMutation(startLookUps(shown))
  if (!data || (data.count === 0 && data.askedAt === null)) return null
  const records = countOf(data.count, 'record')
  return (
    <Paper withBorder className={classes.form ?? ''}>
      <Text size="sm" role="status">
        {data.askedAt === null && 'Imported records are not looked up in public sources by themselves. '}
        {data.askedAt === null &&
          'A look-up runs in the background, and keeps to your daily limit: what is beyond it follows the next day.'}
        {data.askedAt !== null && data.count === 0 && 'The records have been looked up.'}
        {data.askedAt !== null && data.count > 0 && `Looking up ${records}. You can close this page. The work goes on.`}
      </Text>
      {data.askedAt === null && (
        <div className={classes.acts}>
          <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            Look up {records}
          </Button>
        </div>
      )}
    </Paper>
  )
}
