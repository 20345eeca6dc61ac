import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { type Draft, drafts } from '#web/lib/drafts.ts'
import { paths } from '#web/paths.ts'
import { UnsavedLine } from './unsaved-line.tsx'
import classes from './unsaved-lines.module.css'
import { linesOf, useRecords } from './unsaved-records.ts'

const SHOWN_MAX = 3

type UnsavedLinesProps = {
  account: string
  /** A draft that was begun later has no line. */
  since: number
}

/** A line for each thing that was not saved. A draft that the screen itself shows has none. */
export function UnsavedLines({ account, since }: UnsavedLinesProps) {
  const { pathname } = useLocation()
  const text = useSyncExternalStore(drafts.subscribe, () => JSON.stringify(drafts.list(account)))
  const begun = (JSON.parse(text) as Draft[]).filter(({ at }) => at < since)
  const lines = linesOf(begun.filter(({ form }) => pathname !== paths.myRecords || !form.startsWith('edit ')))
  const { isGone, survivorOf, nameOf } = useRecords(account, lines)
  const shown = lines.filter(({ about, to }) => to !== pathname || isGone(about))
  if (shown.length === 0) return null
  const more = shown.length - SHOWN_MAX
  return (
    <section aria-label="Not saved">
      {shown.slice(0, SHOWN_MAX).map((line) => (
        <UnsavedLine
          key={line.key}
          line={{ ...line, about: { ...line.about, name: nameOf(line.about) } }}
          account={account}
          isGone={isGone(line.about)}
          survivor={survivorOf(line.about)}
        />
      ))}
      {more > 0 && <p className={classes.line}>{`and ${more} more`}</p>}
    </section>
  )
}
