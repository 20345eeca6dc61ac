import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { SEARCH_MAX } from '#contract/limits.ts'
import { formatDay } from '#web/lib/dates.ts'
import { mergePath } from '#web/paths.ts'
import { findRecords } from '#web/records/api.ts'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import { useDraft } from '#web/session/use-draft.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { tooLong } from '#web/ui/too-long.ts'
import classes from './record-page.module.css'
import type { PartProps } from './record-part.tsx'

/** In milliseconds, after the last key. */
const WAIT = 150

/** Finds the other record by name, and leads to the form that merges both. */
export function MergeWith({ kind, record, onEnd }: Pick<PartProps, 'kind' | 'record'> & { onEnd: () => void }) {
  const { values: text, change: setText } = useDraft<string>(`merge ${record.id} with`, '')
  const [search] = useDebouncedValue(text.trim(), WAIT)
  const { data, isError, isFetching, refetch } = useQuery(findRecords(kind, search))
  const found = data?.filter(({ id }) => id !== record.id)
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onEnd()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button has opened
    <div className={classes.merge} onKeyDown={closeOnEscape}>
      <TextInput
        ref={focusWhenShown}
        type="search"
        label={`Merge with which ${kind.name}?`}
        placeholder="Name"
        autoComplete="off"
        error={tooLong('Name', text, SEARCH_MAX)}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <p role="status" className={classes.quiet}>
        {search !== '' && statusOf(kind.path, found?.length, isFetching, isError)}
      </p>
      {isError && (
        <Button variant="default" size="xs" onClick={() => refetch()}>
          Try again
        </Button>
      )}
      <ul className={classes.list}>
        {found?.map((other) => (
          <li key={other.id} className={classes.item}>
            <RecordAvatar name={other.name} picture={kind.brief(other).picture} size={32} square={kind.isSquare} />
            <div className={classes.what}>
              <Link to={mergePath(kind, record, other)} className={classes.itemName}>
                <bdi>{other.name}</bdi>
              </Link>
              <p className={classes.quiet}>
                Added {other.createdBy !== null && <>by {other.createdBy} · </>}
                {formatDay(other.createdAt)}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <Button variant="default" size="xs" className={classes.edit ?? ''} onClick={onEnd}>
        Cancel
      </Button>
    </div>
  )
}

const statusOf = (nouns: string, count: number | undefined, isFetching: boolean, isError: boolean) => {
  if (isError) return `The ${nouns} could not be loaded.`
  if (count === undefined) return isFetching ? 'Searching…' : ''
  return count === 0 ? `No other ${nouns} found` : ''
}
