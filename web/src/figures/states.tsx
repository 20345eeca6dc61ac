import { Paper, Skeleton } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import classes from './figures.module.css'

export const FiguresSkeleton = () => (
  <div role="status" aria-label="Loading figures" aria-busy="true">
    {[240, 240, 200].map((height, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they never change
      <Paper key={place} withBorder className={classes.part}>
        <Skeleton height={20} width="min(40%, 240px)" mb={16} />
        <Skeleton height={height} />
      </Paper>
    ))}
  </div>
)

export const NothingYet = ({ text }: { text: string }) => (
  <EmptyState icon={<IconChartBar size={28} stroke={1.5} />} title="Nothing here yet" text={text} />
)
