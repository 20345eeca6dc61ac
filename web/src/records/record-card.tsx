import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '#contract/fields.ts'
import { ClampedText } from '#web/ui/clamped-text.tsx'
import { Highlight } from './highlight.tsx'
import type { CardProps } from './kind.ts'
import { Provenance } from './provenance.tsx'
import { Rating } from './rating.tsx'
import { RecordAvatar } from './record-avatar.tsx'
import classes from './record-card.module.css'
import { type Links, RecordLinks } from './record-links.tsx'

type RecordCardProps = CardProps & {
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
          <bdi>
            <Highlight text={record.name} search={search} />
          </bdi>
        </h2>
        {title}
        {slots.badges}
      </div>
      {!slots.isForm && (
        <div className={classes.side}>
          <Rating record={record} />
          <div className={classes.buttons}>{slots.buttons}</div>
        </div>
      )}
      <div className={classes.body}>
        <div className={classes.about}>
          {about.text && (
            <ClampedText lines={2} subject={`the ${about.what} of ${record.name}`}>
              {about.text}
            </ClampedText>
          )}
          <div className={classes.sources}>
            <RecordLinks name={record.name} {...links} />
            <Provenance record={record} fields={fields} />
          </div>
        </div>
        <div>{slots.notes}</div>
      </div>
    </div>
    {slots.actions}
  </Paper>
)
