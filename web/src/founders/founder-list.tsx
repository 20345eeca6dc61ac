import { IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { RecordList } from '#web/records/record-list.tsx'
import { useRefresh } from '#web/records/use-refresh.ts'
import { useReloadList } from '#web/records/use-reload-list.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { AddFounderButton } from './add-founder-button.tsx'
import { founderList, founderLists, refreshFounder, renewFounder } from './api.ts'
import { FounderCard } from './founder-card.tsx'

export const FounderList = ({ search }: { search: string }) => {
  const list = useInfiniteQuery(founderList(search))
  const { isEmptied, reload } = useReloadList(founderLists, renewFounder)
  const refreshing = useRefresh({
    run: refreshFounder,
    success: (name) => `${name} refreshed with latest LinkedIn data!`,
    failure: 'Failed to refresh founder data',
    reload,
  })
  return (
    <RecordList
      list={list}
      isEmptied={isEmptied}
      noun={{ one: 'founder', many: 'founders' }}
      nothing={search === '' ? <NothingYet /> : <NoMatch />}
    >
      {(founder) => <FounderCard founder={founder} search={search} refreshing={refreshing} />}
    </RecordList>
  )
}

const NothingYet = () => (
  <EmptyState
    icon={<IconUserPlus size={28} stroke={1.5} />}
    title="Start Sourcing Founders"
    text="Add the first founder you have met. Everyone on the platform will find them here."
    action={<AddFounderButton />}
  />
)

const NoMatch = () => (
  <EmptyState
    icon={<IconUserSearch size={28} stroke={1.5} />}
    title="No founders found"
    text="Try adjusting your search terms"
  />
)
