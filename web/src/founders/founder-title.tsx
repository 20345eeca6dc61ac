import type { Founder } from '#contract/founder.ts'
import classes from '#web/records/card/record-card.module.css'
import { Highlight } from '#web/records/list/highlight.tsx'
import { readFounderInfo } from './founder-info.ts'

/** The dot stays on the line of the title. */
const SEPARATOR = '\u00a0· '

/** `title · company`, or whichever is known. */
export const FounderTitle = ({ record, search }: { record: Founder; search: string }) => {
  const { current_title: title, current_company: company } = readFounderInfo(record.additionalInfo)
  if (!title && !company) return null
  return (
    <p className={classes.title}>
      {title && <bdi>{title}</bdi>}
      {title && company && SEPARATOR}
      {company && (
        <bdi>
          <Highlight text={company} search={search} />
        </bdi>
      )}
    </p>
  )
}
