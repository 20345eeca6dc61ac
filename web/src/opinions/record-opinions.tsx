import { Button, Group } from '@mantine/core'
import { IconEye, IconPencil, IconPlus, IconUsers } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { RATING_MAX } from '#contract/limits.ts'
import type { Opinion, Opinions } from '#contract/opinion.ts'
import { formatDay } from '#web/lib/dates.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { useRights } from '#web/session/use-rights.ts'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { useCommand } from '#web/ui/keys/commands.ts'
import { useDigitKeys, useSingleKey } from '#web/ui/keys/use-single-key.ts'
import { useKeysWait } from '#web/ui/keys/waiting-keys.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { deleteOpinion, getOpinions, putOpinion, revealOpinions } from './api.ts'
import { blindSentence, summaryOf } from './opinion-words.ts'
import classes from './opinions.module.css'
import { type NamedJudged, useOpinionDraft } from './use-opinion-draft.ts'

const OpinionForm = lazyPart(
  'The form could not be loaded.',
  async () => (await import('./opinion-form.tsx')).OpinionForm,
)

const AskForm = lazyPart('The form could not be loaded.', async () => (await import('./ask-form.tsx')).AskForm)

const NOT_LOADED = 'The opinions could not be loaded.'

/** While the form loads. */
const KeysWait = () => {
  useKeysWait()
  return null
}

type RecordOpinionsProps = { judged: NamedJudged; account: string }

/** The opinions of fellows on a record, blind until one's own is given. Without any, only a quiet way to give one. */
export function RecordOpinions({ judged, account }: RecordOpinionsProps) {
  const { data, isError, refetch } = useQuery(getOpinions(judged.id))
  const { draft, change, discard } = useOpinionDraft(account, judged)
  const [hasActed, setActed] = useState(false)
  const [isRevealing, setRevealing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const saving = useMutation(putOpinion(judged))
  const deleting = useMutation(deleteOpinion(judged))
  const revealing = useMutation(revealOpinions(judged))
  const may = useRights()
  const mayChange = may('change')
  const saved = data?.mine ?? undefined
  const canReveal = may('revealOpinions') && data !== undefined && data.count > 0 && data.revealedAt === null

  // A digit that is typed after the key is for the form.
  useEffect(() => whenIdle(OpinionForm.preload), [])

  const begin = (rating = saved?.rating ?? 0) => {
    setActed(true)
    change({ rating, comment: saved?.comment ?? '' })
  }
  const askToReveal = () => setRevealing(true)
  const askAndDelete = async () => {
    const isSure = await confirm({
      title: 'Delete your opinion?',
      text: 'You cannot read the opinions of others without one of yours, unless they are revealed.',
      confirm: 'Delete',
      cancel: 'Cancel',
    })
    if (isSure) deleting.mutate()
  }
  useKeysWait(saving.isPending || (data === undefined && !isError))
  const mayBegin = mayChange && data !== undefined && draft === null
  // The form has the digits once it is loaded and has the focus.
  const giveRating = (digit: number) => {
    const rating = digit || RATING_MAX
    if (draft) change({ ...draft, rating })
    else begin(rating)
  }
  useSingleKey('o', mayBegin ? () => begin() : undefined, saved ? 'Change your opinion' : 'Give an opinion')
  useDigitKeys(!mayChange ? undefined : data ? giveRating : isError ? () => toasts.error(NOT_LOADED) : undefined)
  useCommand('Ask for opinions', mayBegin && !isAsking ? () => setAsking(true) : undefined)
  useSingleKey('v', canReveal && !revealing.isPending ? askToReveal : undefined, 'Reveal the opinions')

  if (data === undefined) {
    return isError ? (
      <div role="alert">
        <p className={classes.quiet}>{NOT_LOADED}</p>
        <RetryButton retry={refetch} />
      </div>
    ) : null
  }
  const { count, mine, others, median, spread, revealedAt } = data
  return (
    <div className={classes.root}>
      {count > 0 && others === null && <p className={classes.blind}>{blindSentence(count)}</p>}
      {others !== null && median !== null && spread !== null && (
        <>
          <p className={classes.summary}>{summaryOf(count, median, spread)}</p>
          <OpinionList mine={mine} others={others} />
        </>
      )}
      {!mayChange ? (
        count === 0 && <p className={classes.quiet}>No opinions yet</p>
      ) : draft ? (
        <OpinionForm
          saved={saved}
          draft={draft}
          isPending={saving.isPending}
          takesFocus={hasActed}
          onChange={change}
          // A failure has its toast.
          onSave={(input) => saving.mutateAsync(input).then(discard, () => undefined)}
          onEnd={discard}
          fallback={<KeysWait />}
        />
      ) : (
        <div className={classes.acts}>
          <Button
            // After the form closes, the focus returns here.
            ref={hasActed ? focusWhenShown : null}
            variant={count > 0 && !mine ? 'default' : 'subtle'}
            size="compact-sm"
            className={classes.act ?? ''}
            leftSection={mine ? <IconPencil size={14} stroke={1.5} /> : <IconPlus size={14} stroke={1.5} />}
            onClick={() => begin()}
          >
            {mine ? 'Change yours' : 'Give your opinion'}
          </Button>
          {!isAsking && (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes.act ?? ''}
              leftSection={<IconUsers size={14} stroke={1.5} />}
              onClick={() => setAsking(true)}
            >
              Ask for opinions
            </Button>
          )}
          {mine && (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes.act ?? ''}
              disabled={deleting.isPending}
              onClick={askAndDelete}
            >
              Delete yours
            </Button>
          )}
          {canReveal && !isRevealing && (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes.act ?? ''}
              leftSection={<IconEye size={14} stroke={1.5} />}
              disabled={revealing.isPending}
              onClick={askToReveal}
            >
              Reveal
            </Button>
          )}
        </div>
      )}
      {isAsking && (
        <AskForm
          judged={judged}
          onEnd={() => {
            setActed(true)
            setAsking(false)
          }}
          fallback={<KeysWait />}
        />
      )}
      {canReveal && isRevealing && (
        <RevealQuestion
          isPending={revealing.isPending}
          onReveal={() => revealing.mutate(undefined, { onSettled: () => setRevealing(false) })}
          onCancel={() => {
            setActed(true)
            setRevealing(false)
          }}
        />
      )}
      {revealedAt !== null && <p className={classes.quiet}>Revealed to everyone on {formatDay(revealedAt)}</p>}
    </div>
  )
}

type OwnOpinion = NonNullable<Opinions['mine']>
type OpinionListProps = { mine: OwnOpinion | null; others: Opinion[] }

/** Each opinion that one may read, one's own first. */
const OpinionList = ({ mine, others }: OpinionListProps) => (
  <ul className={classes.list}>
    {mine && <OpinionItem name="You" opinion={mine} />}
    {others.map((opinion) => (
      <OpinionItem key={opinion.fellow.id} name={opinion.fellow.name} opinion={opinion} />
    ))}
  </ul>
)

const OpinionItem = ({ name, opinion }: { name: string; opinion: OwnOpinion }) => (
  <li className={classes.item}>
    <p className={classes.line}>
      <bdi className={classes.name}>{name}</bdi>
      <span className={classes.rating}>
        {opinion.rating}/{RATING_MAX}
      </span>
    </p>
    {opinion.comment !== '' && (
      <p className={classes.words}>
        <bdi>{opinion.comment}</bdi>
      </p>
    )}
    <p className={classes.quiet}>
      {formatDay(opinion.changedAt ?? opinion.givenAt)}
      {opinion.isAfterReading && ' · after reading others'}
    </p>
  </li>
)

type RevealQuestionProps = { isPending: boolean; onReveal: () => void; onCancel: () => void }

/** Asked in place, so that a meeting needs no dialog for it. Escape cancels. */
function RevealQuestion({ isPending, onReveal, onCancel }: RevealQuestionProps) {
  const [title, text] = [useId(), useId()]
  return (
    <fieldset
      aria-labelledby={title}
      aria-describedby={text}
      className={classes.question}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isPending) onCancel()
      }}
    >
      <p id={title} className={classes.summary}>
        Reveal these opinions to everyone?
      </p>
      <p id={text} className={classes.quiet}>
        Opinions that are given later are marked. This cannot be undone.
      </p>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button ref={focusWhenShown} size="xs" disabled={isPending} onClick={onReveal}>
          Reveal
        </Button>
      </Group>
    </fieldset>
  )
}
