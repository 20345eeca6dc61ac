import { Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Import } from '#contract/import.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { importPath } from '#web/paths.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { listImports } from './api.ts'
import classes from './import.module.css'
import { countOf, stateLabels } from './words.ts'

/** The imports of the signed-in person, newest first. */
export function ImportList() {
  const { data, error, refetch } = useQuery(listImports)
  if (error && !data) {
    return <ErrorState title="Your imports could not be loaded" error={error} retry={refetch} />
  }
  if (!data?.length) return null
  return (
    <section aria-labelledby="your-imports">
      <Title order={2} size="h4" id="your-imports" mb="xs">
        Your imports
      </Title>
      <Paper withBorder component="ul" className={classes.list ?? ''}>
        {data.map((shown) => (
          <li key={shown.id} className={classes.entry}>
            <Link to={importPath(shown.id)} className={classes.name ?? ''}>
              <bdi>{shown.name}</bdi>
            </Link>
            <Text size="sm" c="dimmed">
              {summaryOf(shown)} · <time dateTime={shown.createdAt}>{formatMoment(shown.createdAt)}</time>
            </Text>
          </li>
        ))}
      </Paper>
    </section>
  )
}

function summaryOf({ state, counts: { created, updated, refused } }: Import): string {
  const parts = [
    stateLabels[state],
    state === 'done' && `${created.toLocaleString('en')} added`,
    state === 'done' && updated > 0 && `${updated.toLocaleString('en')} updated`,
    state === 'done' && refused > 0 && `${countOf(refused, 'row')} refused`,
  ]
  return parts.filter(Boolean).join(' · ')
}
