import type { Founder } from '#contract/founder.ts'
import { Highlight } from '#web/records/highlight.tsx'
import classes from '#web/records/record-card.module.css'
import { readFounderInfo } from './founder-info.ts'

/** `title · company`, or whichever is known. */
export const FounderTitle = ({ record, search }: { record: Founder; search: string }) => {
  const { current_title: title, current_company: company } = readFounderInfo(record.additionalInfo)
  if (!title && !company) return null
  return (
    <p className={classes.title}>
      {title && <bdi>{title}</bdi>}
      {title && company && ' · '}
      {company && (
        <bdi>
          <Highlight text={company} search={search} />
        </bdi>
      )}
    </p>
  )
}
