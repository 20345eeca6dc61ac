import { Paper } from '@mantine/core'
import { Rating } from '#web/records/card/rating.tsx'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { Highlight } from '#web/records/list/highlight.tsx'
import type { FoundRow } from '#web/records/record-row.ts'
import classes from './found-record.module.css'

type FoundRecordProps = { kind: RecordKind; record: FoundRow; search: string }

/** A record below the results, with the text in which the term was found. */
export const FoundRecord = ({ kind, record, search }: FoundRecordProps) => (
  <Paper withBorder component="article" aria-label={record.name} className={classes.root}>
    <RecordAvatar name={record.name} picture={kind.brief(record).picture} size={40} square={kind.isSquare} />
    <div className={classes.body}>
      <div className={classes.head}>
        <span className={classes.name}>
          <RecordLink kind={kind} record={record} />
        </span>
        <span className={classes.title}>
          <kind.Title record={record} search={search} />
        </span>
      </div>
      {record.mention && (
        <p className={classes.excerpt} dir="auto">
          <span className={classes.place}>{placeOf(kind, record.mention.field)}: </span>
          <Highlight text={record.mention.excerpt} search={search} />
        </p>
      )}
    </div>
    <Rating record={record} />
  </Paper>
)

const placeOf = (kind: RecordKind, field: string) =>
  kind.fields.find(({ name }) => name === field)?.label ?? 'Fellow note'
