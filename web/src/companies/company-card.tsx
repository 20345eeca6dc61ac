import { Paper } from '@mantine/core'
import type { Company } from '#contract/company.ts'
import { HistoryButton } from '#web/history/history-button.tsx'
import { NotesPreview } from '#web/notes/notes-preview.tsx'
import type { CardSlots } from '#web/records/card-slots.ts'
import { Highlight } from '#web/records/highlight.tsx'
import { OriginalNotes } from '#web/records/original-notes.tsx'
import { Provenance } from '#web/records/provenance.tsx'
import { RatingStars } from '#web/records/rating-stars.tsx'
import { RecordAvatar } from '#web/records/record-avatar.tsx'
import classes from '#web/records/record-card.module.css'
import { RecordLinks } from '#web/records/record-links.tsx'
import { RefreshButton } from '#web/records/refresh-button.tsx'
import type { Refreshing } from '#web/records/use-refresh.ts'
import { ClampedText } from '#web/ui/clamped-text.tsx'
import { companyHistory, companyNotes } from './api.ts'
import { CompanyFacts } from './company-facts.tsx'
import { companyFields } from './company-fields.ts'
import { readCompanyInfo } from './company-info.ts'

type CompanyCardProps = { company: Company; search: string; refreshing: Refreshing; own?: CardSlots }

export const CompanyCard = ({ company, search, refreshing, own }: CompanyCardProps) => {
  const info = readCompanyInfo(company.additionalInfo)
  const description = company.description || info.description
  return (
    <Paper component="article" withBorder className={classes.card} aria-label={company.name}>
      <div className={classes.grid}>
        <RecordAvatar name={company.name} size={56} square />
        <div className={classes.head}>
          <h2 className={classes.name}>
            <bdi>
              <Highlight text={company.name} search={search} />
            </bdi>
          </h2>
          <CompanyFacts name={company.name} info={info} />
          {own?.badges}
        </div>
        {!own?.isForm && (
          <div className={classes.side}>
            <RatingStars rating={company.rating} />
            <div className={classes.buttons}>
              <HistoryButton record={company} place={companyHistory} />
              <RefreshButton record={company} refreshing={refreshing} />
            </div>
          </div>
        )}
        <div className={classes.body}>
          <div className={classes.about}>
            {description && (
              <ClampedText lines={2} subject={`the description of ${company.name}`}>
                {description}
              </ClampedText>
            )}
            <RecordLinks name={company.name} linkedIn={company.linkedIn} website={company.website} />
            <Provenance record={company} labels={companyFields} />
          </div>
          <div className={classes.notes}>
            {own?.notes ?? (
              <>
                <OriginalNotes record={company} search={search} />
                <NotesPreview record={company} place={companyNotes} />
              </>
            )}
          </div>
        </div>
      </div>
      {own?.actions}
    </Paper>
  )
}
