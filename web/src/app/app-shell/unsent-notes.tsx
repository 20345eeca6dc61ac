import { UnstyledButton } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'
import { kinds } from '#web/kinds.ts'
import { drafts } from '#web/lib/drafts.ts'
import { discardNote, listUnsentNotes, type UnsentNote } from '#web/notes/note-draft.ts'
import classes from '#web/outbox/outbox.module.css'
import { recordPath } from '#web/paths.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'

const SHOWN_MAX = 3

/** The notes that were not saved when the session ended, above the screen where the person lands. */
export function UnsentNotes() {
  const { email } = useCurrentUser()
  const { pathname } = useLocation()
  // Only those found at first: a note that is being written now is in sight.
  const [found] = useState(() => listUnsentNotes(email))
  const present = useSyncExternalStore(drafts.subscribe, () =>
    JSON.stringify(listUnsentNotes(email).map(({ id }) => id)),
  )
  const lines = found.flatMap((note) => {
    const kind = kinds.find(({ name }) => name === note.kind)
    const to = kind && recordPath(kind, note)
    return to && to !== pathname && present.includes(note.id) ? { note, to } : []
  })
  if (lines.length === 0) return null
  const more = lines.length - SHOWN_MAX
  return (
    <section aria-label="Notes that were not saved">
      {lines.slice(0, SHOWN_MAX).map(({ note, to }) => (
        <UnsentLine key={note.id} note={note} to={to} account={email} />
      ))}
      {more > 0 && <p className={classes.line}>{`and ${more} more`}</p>}
    </section>
  )
}

const UnsentLine = ({ note, to, account }: { note: UnsentNote; to: string; account: string }) => (
  <div className={classes.line}>
    <span>
      You were writing a note on <bdi>{note.name}</bdi>
    </span>
    <div className={classes.acts}>
      <Link to={to}>
        Open<span className="visually-hidden"> the note on {note.name}</span>
      </Link>
      <UnstyledButton onClick={() => discardNote(account, note)}>
        Discard<span className="visually-hidden"> the note on {note.name}</span>
      </UnstyledButton>
    </div>
  </div>
)
