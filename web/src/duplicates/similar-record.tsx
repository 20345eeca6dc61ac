import { Anchor, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Similar } from '#contract/duplicates.ts'
import { addFinder } from '#web/finders/api.ts'
import { formatDay } from '#web/lib/dates.ts'
import { searchPath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { confirm } from '#web/ui/confirm.ts'
import { reasonWords } from './reason-words.ts'
import classes from './similar-records.module.css'

type SimilarRecordProps = { kind: RecordKind; record: Similar; onDiscard: () => void }

/** A record that may be the one being typed. Its link opens a new tab, so the form keeps its values. */
export const SimilarRecord = ({ kind, record, onDiscard }: SimilarRecordProps) => {
  const { id, name, reason, firstFinder, isMine, foundAt } = record
  const { mutate, isPending, isSuccess } = useMutation(addFinder(kind, id))
  const row = useRef<HTMLLIElement>(null)

  const add = () => mutate(undefined, { onSuccess: askToDiscard })
  const askToDiscard = async () => {
    const isSure = await confirm({
      title: `You found ${name} too`,
      text: 'You are listed as a finder, and the record is in My Records. Discard the form?',
      confirm: 'Discard the form',
      cancel: 'Keep editing',
    })
    if (isSure) onDiscard()
    // The button that had the focus has gone.
    else row.current?.focus()
  }

  return (
    <li ref={row} tabIndex={-1} className={classes.row}>
      <div className={classes.about}>
        <Anchor
          href={`${searchPath(kind)}?${new URLSearchParams({ search: name })}`}
          target="_blank"
          inherit
          underline="always"
          className={classes.name}
        >
          <bdi>{name}</bdi>
          <span className="visually-hidden"> (opens in a new tab)</span>
        </Anchor>
        <span>{reasonWords[reason]}</span>
        <span>
          {'found '}
          {firstFinder !== null && (
            <>
              {'by '}
              <bdi className={classes.name}>{firstFinder}</bdi>
              {' on '}
            </>
          )}
          <time dateTime={foundAt}>{formatDay(foundAt)}</time>
        </span>
      </div>
      {isSuccess && <span className={classes.done}>You met them too</span>}
      {!isSuccess && !isMine && (
        <Button variant="default" size="xs" disabled={isPending} onClick={add}>
          I met them too
          <span className="visually-hidden"> ({name})</span>
        </Button>
      )}
    </li>
  )
}
