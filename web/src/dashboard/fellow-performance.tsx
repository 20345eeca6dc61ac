import { Paper, Text, Title } from '@mantine/core'
import { type CSSProperties, lazy, Suspense } from 'react'
import type { Dashboard } from '#contract/dashboard.ts'
import { kinds } from '#web/kinds.ts'
import { ErrorBoundary } from '#web/ui/states/error-boundary.tsx'
import classes from './fellow-performance.module.css'

// The chart's library is larger than the rest of the dashboard, so it loads last.
const FellowChart = lazy(async () => ({ default: (await import('./fellow-chart.tsx')).FellowChart }))

/** The records of every fellow, highest total first: as a chart, and as a table for screen readers. */
export const FellowPerformance = ({ fellows }: Pick<Dashboard, 'fellows'>) => {
  // Identified by position, because two fellows may share a name.
  const groups = fellows.map(({ createdBy, ...counts }, place) => ({
    ...counts,
    id: String(place),
    name: createdBy ?? 'Unknown',
  }))
  return (
    <Paper withBorder component="section" className={classes.root} aria-labelledby="fellow-performance">
      <div className={classes.head}>
        <Title order={2} size="h4" id="fellow-performance">
          Fellow Sourcing Performance
        </Title>
        <ul className={classes.legend} aria-hidden="true">
          {kinds.map(({ name, plural, chart }) => (
            <li key={name} className={classes.series} style={{ '--series': chart.color } as CSSProperties}>
              {plural}
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.place}>
        <ErrorBoundary fallback={<Text c="dimmed">The chart could not be loaded.</Text>}>
          <Suspense>
            <FellowChart groups={groups} />
          </Suspense>
        </ErrorBoundary>
      </div>
      <div className="visually-hidden">
        <table>
          <caption>Fellow Sourcing Performance</caption>
          <thead>
            <tr>
              <th scope="col">Fellow</th>
              {kinds.map(({ name, plural }) => (
                <th key={name} scope="col">
                  {plural}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.id}>
                <th scope="row">{group.name}</th>
                {kinds.map(({ path }) => (
                  <td key={path}>{group[path]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Paper>
  )
}
