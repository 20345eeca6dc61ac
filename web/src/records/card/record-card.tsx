import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '#contract/fields.ts'
import type { Kind } from '#contract/kinds.ts'
import type { CardProps } from '#web/records/kind.ts'
import { Highlight } from '#web/records/list/highlight.tsx'
import { LinkedText } from '#web/records/list/linked-text.tsx'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import { Provenance } from './provenance.tsx'
import { Rating } from './rating.tsx'
import { RecordAvatar } from './record-avatar.tsx'
import classes from './record-card.module.css'
import { RecordLink } from './record-link.tsx'
import { type Links, RecordLinks } from './record-links.tsx'

type RecordCardProps = CardProps & {
  kind: Kind
  picture?: string | undefined
  isSquare?: boolean
  /** Shown next to the name. */
  title: ReactNode
  about: { what: string; text: string | null | undefined }
  links: Links
  fields: readonly Field[]
}

/** The frame of every card: the parts that all records share, and slots for the rest. */
export const RecordCard = ({
  kind,
  record,
  search,
  slots,
  picture,
  isSquare = false,
  title,
  about,
  links,
  fields,
}: RecordCardProps) => (
  <Paper
    component="article"
    ref={slots.ref}
    tabIndex={slots.ref ? -1 : undefined}
    withBorder
    className={classes.card}
    aria-label={record.name}
  >
    <div className={classes.grid}>
      <RecordAvatar name={record.name} picture={picture} size={56} square={isSquare} />
      <div className={classes.head}>
        <h2 className={classes.name}>
          <RecordLink kind={kind} record={record} {...(slots.query && { query: slots.query })}>
            <bdi>
              <Highlight text={record.name} search={search} />
            </bdi>
          </RecordLink>
        </h2>
        {title}
        {slots.badges}
        {slots.finders}
        {slots.pipeline}
      </div>
      {!slots.isForm && (
        <div className={classes.side}>
          <Rating record={record} />
          <div className={classes.buttons}>
            {slots.buttons}
            <span className={classes.history}>{slots.history}</span>
          </div>
        </div>
      )}
      {slots.isForm ? (
        <div className={classes.form}>{slots.notes}</div>
      ) : (
        <div className={classes.body}>
          <div className={classes.sources}>
            <RecordLinks name={record.name} {...links} />
            {slots.metToo}
            {slots.actions}
            <Provenance record={record} fields={fields} />
          </div>
          {about.text && (
            <div className={classes.about}>
              <ClampedText lines={2} subject={`the ${about.what} of ${record.name}`}>
                <LinkedText text={about.text} />
              </ClampedText>
            </div>
          )}
          <div className={classes.notes}>
            {slots.notes}
            {slots.fellowNotes && <div className={classes.fellow}>{slots.fellowNotes}</div>}
          </div>
        </div>
      )}
    </div>
  </Paper>
)
