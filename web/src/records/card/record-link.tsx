import { Anchor } from '@mantine/core'
import { type ReactNode, useCallback, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { InboxQuery } from '#contract/inbox.ts'
import type { Kind } from '#contract/kinds.ts'
import { recordPath } from '#web/paths.ts'
import type { RecordQuery } from '#web/records/cache/record-query.ts'
import classes from './record-link.module.css'

/**
 * What a link leaves on the page of a record: the address that it was opened from, the list or the line of the inbox, and
 * whether these are read one by one.
 */
export type RecordPageState = {
  from?: string
  list?: RecordQuery
  line?: Pick<InboxQuery, 'group' | 'state'> & { key: string }
  isWalking?: boolean
} | null

type RecordLinkProps = {
  kind: Pick<Kind, 'path'>
  record: { id: string; name: string }
  /** The list that shows the link. The page of the record then leads to the next and the previous record of that list. */
  query?: RecordQuery
  /** The line of the inbox that shows it, in the same way. */
  line?: NonNullable<RecordPageState>['line']
  /** Whether it looks like the text around it, as in headings. */
  isPlain?: boolean
  /** The name, if it is not given. */
  children?: ReactNode
}

/** The link that was last followed on each entry of the browser's history. */
const followed = new Map<string, string>()

/** The name of a record, as a link to its page. After Back it has the focus again. */
export const RecordLink = ({ kind, record, query, line, isPlain = true, children }: RecordLinkProps) => {
  const { key, pathname, search } = useLocation()
  const [isBack] = useState(() => followed.get(key) === record.id)
  const takeFocusBack = useCallback(
    (link: HTMLAnchorElement | null) => {
      if (!link || !followed.delete(key)) return
      if (document.activeElement?.matches('body, main')) link.focus({ preventScroll: true })
    },
    [key],
  )
  const state: RecordPageState = {
    ...{ from: pathname + search },
    ...(query && { list: query }),
    ...(line && { line }),
  }
  return (
    <Anchor
      component={Link}
      inherit
      ref={isBack ? takeFocusBack : null}
      to={recordPath(kind, record)}
      state={state}
      className={(isPlain && classes.plain) || ''}
      onClick={() => followed.set(key, record.id)}
    >
      {children ?? <bdi>{record.name}</bdi>}
    </Anchor>
  )
}
