import { Paper } from '@mantine/core'
import type { RecordKind } from '#web/records/kind.ts'
import { Highlight } from '#web/records/list/highlight.tsx'
import { LinkedText } from '#web/records/list/linked-text.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import type { CardSlots } from './card-slots.ts'
import { Provenance } from './provenance.tsx'
import { Rating } from './rating.tsx'
import { RecordAvatar } from './record-avatar.tsx'
import classes from './record-card.module.css'
import { RecordLink } from './record-link.tsx'
import { RecordLinks } from './record-links.tsx'

type RecordCardProps = { kind: RecordKind; record: RecordRow; search: string; slots: CardSlots }

/** The card of a record: the parts that all records share, what its kind declares, and slots for the rest. */
export function RecordCard({ kind, record, search, slots }: RecordCardProps) {
  const { about, links } = kind.card(record)
  return (
    <Paper
      component="article"
      ref={slots.ref}
      tabIndex={slots.ref ? -1 : undefined}
      withBorder
      className={classes.card}
      aria-label={record.name}
    >
      <div className={classes.grid}>
        <RecordAvatar name={record.name} picture={kind.brief(record).picture} size={56} square={kind.isSquare} />
        <div className={classes.head}>
          <h2 className={classes.name}>
            <RecordLink kind={kind} record={record} {...(slots.query && { query: slots.query })}>
              <bdi>
                <Highlight text={record.name} search={search} />
              </bdi>
            </RecordLink>
          </h2>
          <kind.Title record={record} search={search} />
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
              <Provenance record={record} fields={kind.fields} />
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
}
