import '@mantine/core/styles/Progress.css'
import { Progress, Text } from '@mantine/core'
import type { Import } from '#contract/import.ts'
import classes from './import.module.css'
import { countOf, stateLabels } from './words.ts'

/** The progress of the server. The page may be closed during the work. */
export function ImportProgress({ import: { state, done, total } }: { import: Import }) {
  const share = total > 0 ? (100 * done) / total : 0
  return (
    <div className={classes.progress}>
      <Progress value={share} aria-label={stateLabels[state]} animated={total === 0} />
      <Text size="sm" c="dimmed">
        {stateLabels[state]}
        {done > 0 && `: ${done.toLocaleString('en')}${total > 0 ? ` of ${countOf(total, 'row')}` : ' rows'}`}
      </Text>
    </div>
  )
}
