import { Anchor } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { countInbox } from '#web/inbox/api.ts'
import { forYouWords } from '#web/inbox/count-words.ts'
import { kinds } from '#web/kinds.ts'
import { paths, searchPath } from '#web/paths.ts'
import { setSeen, since } from './api.ts'
import classes from './since-line.module.css'
import { itemsIn } from './since-words.ts'

/**
 * Links to what others have added since the person was last here, each of which clears its number, and to what is unread for
 * the person. A line that is absent when the screen opens stays absent, and one that is there stays, so that nothing moves.
 */
export function SinceLine() {
  const { data } = useQuery(since)
  const you = useQuery(countInbox).data?.you ?? 0
  const { mutate } = useMutation(setSeen)
  const items = data ? itemsIn(data, kinds) : []
  const isNothing = items.length === 0 && you === 0
  const [isShown] = useState(!isNothing)
  if (!isShown) return null
  return (
    <nav className={classes.line} aria-labelledby="since">
      <span id="since" className={classes.what}>
        Since you were last here
      </span>
      {isNothing && <span className={classes.what}>nothing else</span>}
      {items.map(({ key, kind, cohort, text }) => {
        const see = () => data && mutate({ key, until: data.until })
        return (
          <Anchor
            key={`${key} ${kind.name}`}
            component={Link}
            to={`${searchPath(kind)}?${new URLSearchParams({ cohort })}`}
            className={classes.link ?? ''}
            onClick={see}
            // The middle button opens a tab of its own.
            onAuxClick={({ button }) => button === 1 && see()}
          >
            {text}
          </Anchor>
        )
      })}
      {you > 0 && (
        <Anchor component={Link} to={paths.inbox} className={classes.link ?? ''}>
          {forYouWords(you)}
        </Anchor>
      )}
    </nav>
  )
}
