import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#web/paths.ts'
import { useKeySequence } from '#web/ui/keys/use-key-sequence.ts'
import { countInbox } from './api.ts'
import classes from './bell-news.module.css'
import { bellWords, shownUnread } from './count-words.ts'

/** The number of unread lines for the person, a dot for news, and the keys that lead to the inbox. */
export function BellNews() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data } = useQuery(countInbox)
  useKeySequence(['g', 'i'], () => void navigate(paths.inbox))
  // News come with the next screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each screen
  useEffect(() => {
    void client.refetchQueries({ queryKey: countInbox.queryKey, stale: true })
  }, [client, pathname])
  if (!data) return null
  return (
    <>
      {data.you > 0 && (
        <span className={classes.count} aria-hidden="true">
          {shownUnread(data.you)}
        </span>
      )}
      {data.news && <span className={classes.dot} data-beside={data.you > 0 || undefined} aria-hidden="true" />}
      <span className="visually-hidden">{bellWords(data)}</span>
    </>
  )
}
