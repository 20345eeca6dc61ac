import { Anchor, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Similar } from '#contract/duplicates.ts'
import { addFinder } from '#web/finders/api.ts'
import { formatDay } from '#web/lib/dates.ts'
import { recordPath } from '#web/paths.ts'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { reasonText } from './reason-words.ts'
import classes from './similar-records.module.css'

type SimilarRecordProps = { kind: RecordKind; record: Similar; onMet: (record: Similar) => void }

/** A record that may be the one being typed. Its link opens a new tab, so the form keeps its values. */
export const SimilarRecord = ({ kind, record, onMet }: SimilarRecordProps) => {
  const { id, name, picture, title, company, facts, firstFinder, finders, foundAt } = record
  const { mutate, isPending } = useMutation(addFinder(kind, id))
  const about = facts ?? [title, company].filter(Boolean).join(' · ')
  return (
    <li className={classes.row}>
      <RecordAvatar name={name} picture={picture ?? undefined} size={32} square={kind.isSquare} />
      <div className={classes.about}>
        <Anchor href={recordPath(kind, record)} target="_blank" inherit underline="always" className={classes.name}>
          <bdi>{name}</bdi>
          <span className="visually-hidden"> (opens in a new tab)</span>
        </Anchor>
        <div className={classes.facts}>
          <span>{reasonText(record)}</span>
          {about !== '' && (
            <span>
              <bdi>{about}</bdi>
            </span>
          )}
          <span>
            <span className={classes.word}>found </span>
            {firstFinder !== null && (
              <>
                <span className={classes.word}>by </span>
                <bdi className={classes.finder}>{firstFinder}</bdi>
                <span className={classes.word}> on </span>
              </>
            )}
            <time dateTime={foundAt}>{formatDay(foundAt)}</time>
          </span>
        </div>
      </div>
      {finders.mine ? (
        <span className={classes.mine}>You met them</span>
      ) : (
        <Button
          variant="default"
          size="xs"
          className={classes.met}
          disabled={isPending}
          onClick={() => mutate(undefined, { onSuccess: () => onMet(record) })}
        >
          I met them too
          <span className="visually-hidden"> ({name})</span>
        </Button>
      )}
    </li>
  )
}
