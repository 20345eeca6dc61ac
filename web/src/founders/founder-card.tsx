import { Paper } from '@mantine/core'
import type { Founder } from '#contract/founder.ts'
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
import { founderHistory, founderNotes } from './api.ts'
import { founderFields } from './founder-fields.ts'
import { readFounderInfo } from './founder-info.ts'
import { FounderTitle } from './founder-title.tsx'

type FounderCardProps = { founder: Founder; search: string; refreshing: Refreshing; own?: CardSlots }

export const FounderCard = ({ founder, search, refreshing, own }: FounderCardProps) => {
  const info = readFounderInfo(founder.additionalInfo)
  return (
    <Paper component="article" withBorder className={classes.card} aria-label={founder.name}>
      <div className={classes.grid}>
        <RecordAvatar name={founder.name} picture={info.profile_picture_url} size={56} />
        <div className={classes.head}>
          <h2 className={classes.name}>
            <bdi>
              <Highlight text={founder.name} search={search} />
            </bdi>
          </h2>
          <FounderTitle title={info.current_title} company={info.current_company} search={search} />
          {own?.badges}
        </div>
        {!own?.isForm && (
          <div className={classes.side}>
            <RatingStars rating={founder.rating} />
            <div className={classes.buttons}>
              <HistoryButton record={founder} place={founderHistory} />
              <RefreshButton record={founder} refreshing={refreshing} />
            </div>
          </div>
        )}
        <div className={classes.body}>
          <div className={classes.about}>
            {info.bio && (
              <ClampedText lines={2} subject={`the bio of ${founder.name}`}>
                {info.bio}
              </ClampedText>
            )}
            <RecordLinks name={founder.name} linkedIn={founder.linkedIn} email={info.email} website={info.website} />
            <Provenance record={founder} labels={founderFields} />
          </div>
          <div className={classes.notes}>
            {own?.notes ?? (
              <>
                <OriginalNotes record={founder} search={search} />
                <NotesPreview record={founder} place={founderNotes} />
              </>
            )}
          </div>
        </div>
      </div>
      {own?.actions}
    </Paper>
  )
}
