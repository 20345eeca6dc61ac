import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import '#web/ui/touch-targets.css'
import { Button, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { FiguresQuery } from '#contract/figures.ts'
import { kinds } from '#web/kinds.ts'
import { useParameters } from '#web/lib/use-parameters.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { saveFigures } from './api.ts'
import classes from './figures.module.css'

const kindChoices = kinds.map(({ name, plural }) => ({ value: name, label: plural }))
const periodChoices = [
  { value: 'quarter', label: 'Quarters' },
  { value: 'month', label: 'Months' },
]

type BarProps = {
  file: '/programme/figures.csv' | '/figures/mine.csv'
  view: Pick<FiguresQuery, 'kind'> & Partial<FiguresQuery>
}

/** What is shown, which is in the address, and its file. */
export function FiguresBar({ file, view }: BarProps) {
  const [, change] = useParameters()
  const { mutate: save, isPending } = useMutation(saveFigures)
  const choose = (name: string) => (value: string) => change({ [name]: value })
  return (
    <div className={classes.bar}>
      <SegmentedControl aria-label="Kind" data={kindChoices} value={view.kind} onChange={choose('kind')} />
      {view.period && (
        <>
          <SegmentedControl aria-label="Period" data={periodChoices} value={view.period} onChange={choose('period')} />
          <span className={classes.more}>Days are counted in UTC.</span>
        </>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.5} />}
        disabled={isPending}
        onClick={() =>
          save({ path: file, view }, { onError: (failure) => toasts.failure(failure, 'Failed to export') })
        }
      >
        CSV
      </Button>
    </div>
  )
}
