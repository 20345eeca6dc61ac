import { Button, Paper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { mergePath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { OriginalNotes } from '#web/records/original-notes.tsx'
import { confirm } from '#web/ui/confirm.ts'
import { toasts } from '#web/ui/toasts.tsx'
import { dismissPair, type Pair } from './api.ts'
import classes from './pair-card.module.css'
import { reasonSentence } from './reason-words.ts'

type PairCardProps = { kind: RecordKind; pair: Pair; onGone: () => void }

/** Two records that may be one, side by side, with the reasons and the actions. */
export function PairCard({ kind, pair, onGone }: PairCardProps) {
  const { a, b, reasons } = pair
  const { mutate, isPending } = useMutation(dismissPair(kind))

  const askAndDismiss = async () => {
    const isSure = await confirm({
      title: 'Not the same?',
      text: `This hides the pair “${a.name}” and “${b.name}” for everyone.`,
      confirm: 'Not the same',
      cancel: 'Cancel',
    })
    if (!isSure) return
    mutate(pair, {
      onSuccess: () => {
        toasts.success(`${a.name} and ${b.name} are marked as not the same`)
        onGone()
      },
    })
  }

  const of = (
    <span className="visually-hidden">
      {' '}
      ({a.name} and {b.name})
    </span>
  )
  return (
    <Paper component="section" withBorder className={classes.root} aria-label={`${a.name} and ${b.name}`}>
      <div className={classes.head}>
        <h2 className={classes.reasons}>{reasonSentence(reasons)}</h2>
        <div className={classes.acts}>
          <Button variant="default" disabled={isPending} onClick={askAndDismiss}>
            Not the same
            {of}
          </Button>
          <MergeButton kind={kind} pair={pair} of={of} />
        </div>
      </div>
      <div className={classes.pair}>
        {[a, b].map((record) => (
          <kind.Card
            key={record.id}
            record={record}
            search=""
            slots={{ buttons: null, notes: <OriginalNotes record={record} search="" /> }}
          />
        ))}
      </div>
    </Paper>
  )
}

type MergeButtonProps = Pick<PairCardProps, 'kind' | 'pair'> & { of: ReactNode }

const MergeButton = ({ kind, pair: { a, b }, of }: MergeButtonProps) => {
  const id = useId()
  if (a.can.edit && b.can.edit)
    return (
      <Button component={Link} to={mergePath(kind, a, b)} variant="light">
        Merge…{of}
      </Button>
    )
  return (
    <>
      <p id={id} className={classes.why}>
        Only fellows who found or noted both can merge them
      </p>
      {/* aria-disabled, not disabled, so that the keyboard reaches the button and its description. */}
      <Button variant="default" aria-disabled data-disabled aria-describedby={id}>
        Merge…{of}
      </Button>
    </>
  )
}
