import { Anchor } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { kinds } from '#web/kinds.ts'
import { searchPath } from '#web/paths.ts'
import { setSeen, since } from './api.ts'
import classes from './since-line.module.css'
import { itemsIn } from './since-words.ts'

/**
 * Links to what others did since the person was last here. Each clears its number, but for opinions that are missing. A line that is absent when the screen
 * opens stays absent, and one that is there stays, so that nothing moves.
 */
export function SinceLine() {
  const { data } = useQuery(since)
  const { mutate } = useMutation(setSeen)
  const items = data ? itemsIn(data, kinds) : []
  const [isShown] = useState(items.length > 0)
  if (!isShown || !data) return null
  return (
    <nav className={classes.line} aria-labelledby="since">
      <span id="since" className={classes.what}>
        Since you were last here
      </span>
      {items.length === 0 && <span className={classes.what}>nothing else</span>}
      {items.map(({ key, kind, filter, seen, text }) => {
        const see = () => seen && mutate({ key: seen, kind: kind.name, until: data.until })
        return (
          <Anchor
            key={`${key} ${kind.name}`}
            component={Link}
            to={`${searchPath(kind)}?${new URLSearchParams(filter)}`}
            className={classes.link ?? ''}
            onClick={see}
            // The middle button opens a tab of its own.
            onAuxClick={({ button }) => button === 1 && see()}
          >
            {text}
          </Anchor>
        )
      })}
    </nav>
  )
}
