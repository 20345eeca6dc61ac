import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { DigestOffer } from '#web/account/digest-offer.tsx'
import { PipelinePrompts } from '#web/pipeline/prompts/pipeline-prompts.tsx'
import { CountTabs } from '#web/ui/lists/count-tabs.tsx'
import { Page } from '#web/ui/page.tsx'
import { countInbox, type InboxView, inboxPath, inboxViewIn, listInbox } from './api.ts'
import { shownUnread } from './count-words.ts'
import classes from './inbox.module.css'
import { Lines } from './lines.tsx'
import { useActs } from './use-acts.ts'

const STATES = [
  { state: 'open', label: 'Open' },
  { state: 'done', label: 'Done' },
] as const

/** What asks something of the person, and news of what they follow, open or done. Which of them is in the address. */
export function Inbox() {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const view = inboxViewIn(parameters)
  const list = useInfiniteQuery(listInbox(view))
  const { markAllDone } = useActs(list.data?.pages[0]?.seenUntil)
  const mayMark = view.state === 'open' && list.data?.pages.some(({ rows }) => rows.length > 0)
  return (
    <Page
      title="Inbox"
      actions={
        <Button
          variant="default"
          leftSection={<IconChecks size={18} stroke={1.5} aria-hidden="true" />}
          {...(!mayMark && { 'aria-disabled': true, 'data-disabled': true })}
          onClick={mayMark ? markAllDone : undefined}
        >
          Mark all as done
        </Button>
      }
    >
      <PipelinePrompts />
      <DigestOffer />
      <CountTabs
        label="Group"
        value={view.group}
        onChange={(group) => void navigate(inboxPath({ ...view, group: group as InboxView['group'] }))}
        tabs={[
          { value: 'you', label: 'For you', count: <Unread of="you" /> },
          { value: 'news', label: 'News', count: <Unread of="news" /> },
        ]}
      >
        <nav aria-label="State" className={classes.states}>
          {STATES.map(({ state, label }) => (
            <Button
              key={state}
              component={Link}
              to={inboxPath({ ...view, state })}
              variant={state === view.state ? 'light' : 'subtle'}
              size="xs"
              className={classes.state ?? ''}
              aria-current={state === view.state ? 'page' : undefined}
            >
              {label}
            </Button>
          ))}
        </nav>
        <Lines key={`${view.group} ${view.state}`} view={view} list={list} />
      </CountTabs>
    </Page>
  )
}

/** The same as on the bell. */
function Unread({ of }: { of: InboxView['group'] }) {
  const { data } = useQuery(countInbox)
  if (of === 'news')
    return data?.news ? (
      <>
        <span className={classes.dot} aria-hidden="true" />
        <span className="visually-hidden">unread</span>
      </>
    ) : null
  return data && data.you > 0 ? (
    <>
      {shownUnread(data.you)}
      <span className="visually-hidden"> unread</span>
    </>
  ) : null
}
