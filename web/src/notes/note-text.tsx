import { Fragment } from 'react'
import type { Note } from '#contract/note.ts'
import { LinkedText } from '#web/records/list/linked-text.tsx'
import classes from './note-text.module.css'

/** A note whose web addresses are links, and in which each fellow whom it names has the name of today. */
export const NoteText = ({ note: { content, mentions = [] } }: { note: Pick<Note, 'content' | 'mentions'> }) => {
  const letters = [...content]
  const between = (from: number, to?: number) => <LinkedText text={letters.slice(from, to).join('')} />
  let end = 0
  return (
    <>
      {mentions.map(({ name, at, length }) => {
        const before = between(end, at)
        end = at + length
        return (
          <Fragment key={at}>
            {before}
            <span className={classes.mention}>
              @<bdi>{name}</bdi>
            </span>
          </Fragment>
        )
      })}
      {between(end)}
    </>
  )
}
