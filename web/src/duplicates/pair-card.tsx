import { Button, Paper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { comparedFields, type Field, keyOf } from '#contract/fields.ts'
import { capital } from '#contract/plain-text.ts'
import { mergePath, paths } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { differingFields, valueIn } from '#web/records/record-values.ts'
import { shortAddress } from '#web/records/web-links.ts'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { dismissPair, type Pair, undoDismissal } from './api.ts'
import classes from './pair-card.module.css'
import { PairSide } from './pair-side.tsx'
import { reasonSentence } from './reason-words.ts'

type PairCardProps = { kind: RecordKind; pair: Pair; onGone: () => void }

/** Two records that may be one, side by side, with the reasons, what differs, and the actions. */
export function PairCard({ kind, pair, onGone }: PairCardProps) {
  const { a, b } = pair
  const navigate = useNavigate()
  const dismissal = useMutation(dismissPair(kind))
  const undo = useMutation(undoDismissal(kind))

  const dismiss = () =>
    dismissal.mutate(pair, {
      onSuccess: () => {
        toasts.withActions(
          `${a.name} and ${b.name} are marked as not the same`,
          { label: 'Undo', onAct: () => undo.mutate([a, b]) },
          { label: 'Recent changes', onAct: () => navigate(paths.changes) },
        )
        onGone()
      },
    })

  const of = (
    <span className="visually-hidden">
      {' '}
      ({a.name} and {b.name})
    </span>
  )
  const fields = shownFields(kind, pair)
  return (
    <Paper component="section" withBorder className={classes.root} aria-label={`${a.name} and ${b.name}`}>
      <h2 className={classes.reasons}>{reasonSentence(pair)}</h2>
      <div className={classes.pair}>
        {[a, b].map((record) => (
          <PairSide
            key={record.id}
            kind={kind}
            record={record}
            tint={a.name}
            isRenamed={a.name !== b.name}
            fields={fields}
          />
        ))}
      </div>
      <ChangeActs>
        <div className={classes.acts}>
          <Button variant="default" disabled={dismissal.isPending} onClick={dismiss}>
            Not the same
            {of}
          </Button>
          <Button component={Link} to={mergePath(kind, a, b)} variant="light">
            Merge…{of}
          </Button>
        </div>
      </ChangeActs>
    </Paper>
  )
}

/** Whether the face shows it. */
const isInHead = ({ name, content }: Field) => name === 'name' || content === 'picture'

/** The fields that either record has. Addresses are compared without upper case, protocol and closing slash. */
function shownFields({ fields }: RecordKind, { a, b }: Pair) {
  const different = differingFields(a, b, fields).filter((field) => {
    const [one, other] = [a, b].map((record) => shortAddress(valueIn(record, field)).toLowerCase())
    return field.content !== 'address' || one !== other
  })
  return comparedFields(fields)
    .filter((field) => !isInHead(field) && [a, b].some((record) => valueIn(record, field) !== ''))
    .map((field) => ({ key: keyOf(field), field, label: labelOf(field), isDifferent: different.includes(field) }))
}

const labelOf = ({ name, label }: Field) => (name === 'notes' ? 'Original Notes' : capital(label))
