import { Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Import, ImportRow } from '#contract/import.ts'
import { addRows } from '#web/import/api.ts'
import classes from '#web/import/import.module.css'
import { countOf } from '#web/import/words.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'

/** Adds a row although a record is or may be the same. */
export function AddOne({ import: shown, row: { row, values } }: { import: Import; row: ImportRow }) {
  const add = useMutation(addRows(shown))
  return (
    <LoadingButton
      variant="default"
      size="xs"
      className={classes.addOne ?? ''}
      aria-label={`Add anyway: row ${row}, ${values.name ?? ''}`}
      loading={add.isPending}
      onClick={() => add.mutate([row], { onSuccess: focusRows })}
    >
      Add anyway
    </LoadingButton>
  )
}

const ONE = {
  before: 'may be the same as a record. It is left out unless you add it.',
  after: 'may be the same as a record, and was left out.',
}
const SEVERAL = {
  before: 'may be the same as records. They are left out unless you add them.',
  after: 'may be the same as records, and were left out.',
}

/** Explains the rows that may be the same as a record, and adds them all. */
export function AddAll({ import: shown }: { import: Import }) {
  const add = useMutation(addRows(shown))
  const { maybe } = shown.counts
  if (maybe === 0 || shown.state === 'reverted') return null
  const when = shown.startedAt === null ? 'before' : 'after'
  return (
    <Paper withBorder className={classes.maybe ?? ''}>
      <Text size="sm" className={classes.maybeText ?? ''}>
        {maybe === 1 ? `1 row ${ONE[when]}` : `${countOf(maybe, 'row')} ${SEVERAL[when]}`}
      </Text>
      <LoadingButton
        variant="default"
        loading={add.isPending}
        onClick={() => add.mutate('all', { onSuccess: focusRows })}
      >
        {maybe === 1 ? 'Add it anyway' : `Add all ${maybe.toLocaleString('en')} anyway`}
      </LoadingButton>
    </Paper>
  )
}

/** The button goes with its row, so the focus moves to the filters, whose counts have changed. */
const focusRows = () => document.querySelector<HTMLElement>('[data-row-filters] button')?.focus({ preventScroll: true })
