import { Anchor, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react'
import type { Similar } from '#contract/duplicates.ts'
import { NAME_MAX, URL_MAX } from '#contract/limits.ts'
import { completeAddress, isVisible, isWebAddress, lengthOf } from '#contract/plain-text.ts'
import { addFinder } from '#web/finders/api.ts'
import { formatDay } from '#web/lib/dates.ts'
import { recordPath } from '#web/paths.ts'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import type { FormValues } from '#web/records/form/record-form.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { listSimilar } from './api.ts'
import { reasonText } from './reason-words.ts'
import classes from './similar-records.module.css'

type SimilarRecordsProps = {
  kind: RecordKind
  values: FormValues
  /** False while the person has not changed the values. */
  isAsked: boolean
  onMet: (record: Similar) => void
  /** In place of *I met them too*, in a dialog. Similar records are then always below the name. */
  choice?: Choice
}

type Choice = { label: string; onChoose: (record: Similar) => void }

/**
 * Similar records in an add form: beside it on wide screens, else below the name. There they take as much space as was found so
 * far, and more only while no field below has the focus, so that these do not move under a finger.
 */
export const SimilarRecords = ({ kind, values, isAsked, onMet, choice }: SimilarRecordsProps) => {
  const similar = useSimilarRecords(kind, values, isAsked)
  const root = useRef<HTMLDivElement>(null)
  const room = useRoom(root, similar.length)
  return (
    <div
      ref={root}
      className={classes.root}
      data-kept={room > 0 || undefined}
      data-below={choice ? true : undefined}
      style={{ '--rows': room } as CSSProperties}
    >
      <p role="status" className={classes.title}>
        {similar.length > 0 && (
          <>
            Is it one of these?
            <span className="visually-hidden">
              {' '}
              {similar.length} similar {similar.length === 1 ? kind.name : kind.path}
            </span>
          </>
        )}
      </p>
      {similar.length > 0 && (
        <ul className={classes.rows} aria-label={`Similar ${kind.path}`}>
          {similar.map((record) => (
            <SimilarRecord key={record.id} {...{ kind, record, onMet, choice }} />
          ))}
        </ul>
      )}
    </div>
  )
}

const FIELDS = 'input, textarea, select'

/** The rows that have space. The first one found always gets it, because it is a warning. */
function useRoom(root: RefObject<HTMLElement | null>, found: number): number {
  const [room, setRoom] = useState(0)
  useEffect(() => {
    const grow = (active: EventTarget | null) => {
      const isBelow =
        active instanceof HTMLElement &&
        active.matches(FIELDS) &&
        ((root.current?.compareDocumentPosition(active) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      setRoom((room) => (room > 0 && isBelow ? room : Math.max(room, found)))
    }
    const move = ({ relatedTarget }: FocusEvent) => grow(relatedTarget)
    grow(document.activeElement)
    document.addEventListener('focusout', move)
    return () => document.removeEventListener('focusout', move)
  }, [root, found])
  return room
}

/** The delay in milliseconds between the last key and the search for similar records. */
const RESTS_AFTER = 300

/** The records that are similar to the one in the form. */
const useSimilarRecords = (kind: RecordKind, values: FormValues, isAsked: boolean) => {
  const [name] = useDebouncedValue(nameIn(values), RESTS_AFTER)
  const [address] = useDebouncedValue(addressIn(values, kind), RESTS_AFTER)
  const isTyped = isAsked && (name !== '' || address !== '')
  const { data = [] } = useQuery({ ...listSimilar(kind, { name, address }), enabled: isTyped })
  // A disabled query still has its last result.
  return isTyped ? data : []
}

const nameIn = ({ name }: FormValues) => {
  const text = String(name).trim()
  return isVisible(text) && lengthOf(text) <= NAME_MAX ? text : ''
}

const addressIn = (values: FormValues, { addressField }: RecordKind) => {
  const address = completeAddress(String(values[addressField]).trim())
  return isWebAddress(address) && lengthOf(address) <= URL_MAX ? address : ''
}

type SimilarRecordProps = {
  kind: RecordKind
  record: Similar
  onMet: (record: Similar) => void
  choice: Choice | undefined
}

/** A record that may be the one being typed. Its link opens a new tab, so the form keeps its values. */
const SimilarRecord = ({ kind, record, onMet, choice }: SimilarRecordProps) => {
  const { id, name, picture, title, company, facts, firstFinder, finders, foundAt } = record
  const { mutate, isPending } = useMutation(addFinder(kind, id))
  const about = facts ?? [title, company].filter(Boolean).join(' · ')
  return (
    <li className={classes.row}>
      <RecordAvatar name={name} picture={picture ?? undefined} size={32} square={kind.isSquare} />
      <div className={classes.about}>
        <Anchor
          href={recordPath(kind, record)}
          target="_blank"
          inherit
          underline="always"
          className={`cut ${classes.name}`}
        >
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
      {choice ? (
        <Button variant="default" size="xs" className={classes.met} onClick={() => choice.onChoose(record)}>
          {choice.label}
          <span className="visually-hidden"> {name}</span>
        </Button>
      ) : finders.mine ? (
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
