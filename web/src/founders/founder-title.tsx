import { Highlight } from '#web/records/highlight.tsx'
import classes from '#web/records/record-card.module.css'

type FounderTitleProps = { title?: string | undefined; company?: string | undefined; search: string }

/** `title · company`, or the one of them that is known. */
export const FounderTitle = ({ title, company, search }: FounderTitleProps) =>
  (title || company) && (
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
