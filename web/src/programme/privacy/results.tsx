import '@mantine/core/styles/Checkbox.css'
import '#web/ui/touch-targets.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Button, Checkbox, Paper, Radio, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type AccessReport,
  ERASURE_REASONS,
  type ErasureReason,
  HITS_MAX,
  type PersonHit,
  type PersonSearch,
} from '#contract/privacy.ts'
import { formatDay } from '#web/lib/dates.ts'
import { ApiError } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { createAccessReport, erasePerson, searchPerson } from './api.ts'
import { ErasedPerson } from './erased-person.tsx'
import { reportPage } from './report-page.ts'

const REASONS: Record<ErasureReason, string> = {
  asked: 'The person asked',
  objected: 'The person objected',
  no_ground: 'No ground to keep it',
  other: 'Another reason',
}

/** What a person was searched by, first the name. */
const nameOf = ({ names, linkedIn, email }: PersonSearch) => names[0] ?? email ?? linkedIn ?? 'this person'

type ResultsProps = {
  /** Who was searched for. */
  person: PersonSearch
  hits: PersonHit[]
  /** Called at the erasure: what was typed to find the person is erased too. */
  onErase: () => void
  onErased: () => void
}

/** What a search found, and what is done with the chosen part of it. */
export function Results({ person, hits: found, onErase, onErased }: ResultsProps) {
  const withComments = useMutation(searchPerson)
  const all = withComments.data ?? found
  const comments = all.find((hit) => hit.comments)?.comments ?? 0
  const hits = all.filter((hit) => !hit.comments)
  const [refs, setRefs] = useState<string[]>([])
  const [reason, setReason] = useState<ErasureReason>()
  const [isAsked, setAsked] = useState(false)
  // Under the searched person, because an address of another must not be offered.
  const draft = useDraft(`do not keep ${JSON.stringify(person)}`, {
    linkedIn: person.linkedIn ?? '',
    email: person.email ?? '',
  })
  const { linkedIn, email } = draft.values
  const reasons = useRef<HTMLDivElement>(null)
  const report = useMutation(createAccessReport)
  const erase = useMutation(erasePerson)
  if (all.length === 0) return <p role="status">Nothing found. Try another spelling of the name.</p>

  const parts = [
    { label: 'Records', hits: hits.filter(({ kind }) => kind === 'record') },
    { label: 'Mentioned elsewhere', hits: hits.filter(({ kind }) => kind !== 'record') },
  ].filter((part) => part.hits.length > 0)
  const isNone = refs.length === 0
  const chosenRecords = hits.filter(({ ref, kind }) => kind === 'record' && refs.includes(ref))
  const isUnknown = !isNone && !chosenRecords.some(({ hasAddress }) => hasAddress)
  const typed = { linkedIn: linkedIn.trim(), email: email.trim() }
  const fault = erase.error instanceof ApiError ? erase.error.fields.doNotKeep : undefined
  const failed = (failure: unknown) => toasts.failure(failure, 'This failed. Try again in a moment.')

  const choose = (chosen: string[]) => {
    setRefs(chosen)
    report.reset()
  }

  const eraseChosen = async () => {
    setAsked(true)
    if (reason === undefined) {
      reasons.current?.querySelector('input')?.focus()
      return
    }
    const isSure = await confirm({
      title: `Erase ${nameOf(person)}?`,
      text: `${refs.length === 1 ? 'One result' : `${refs.length} results`} will be erased, records with everything that belongs to them, and their LinkedIn profile and email address cannot be added again. This cannot be undone.`,
      confirm: 'Erase',
      cancel: 'Cancel',
    })
    if (!isSure) return
    const doNotKeep = isUnknown && (typed.linkedIn || typed.email) ? { doNotKeep: typed } : {}
    erase.mutate(
      { refs, reason, ...doNotKeep },
      {
        onError: failed,
        onSuccess: () => {
          draft.discard()
          onErase()
          toasts.success('Erased')
        },
      },
    )
  }

  if (erase.data) return <ErasedPerson exports={erase.data.exports} onEnd={onErased} />
  return (
    <section className="stack-12" aria-label="Results">
      <p role="status">
        {hits.length === HITS_MAX
          ? `The first ${HITS_MAX} results. Add an address to find fewer.`
          : `${hits.length} found`}
      </p>
      {comments > 0 && (
        <Paper withBorder p="lg" className="stack-12">
          <p>
            {comments === 1 ? 'One comment of an opinion mentions' : `${comments} comments of opinions mention`} this
            person. Once you see them, you count as having read the opinions on their records.
          </p>
          <div>
            <Button
              variant="default"
              loading={withComments.isPending}
              onClick={() => withComments.mutate({ ...person, comments: true }, { onError: failed })}
            >
              Show them
            </Button>
          </div>
        </Paper>
      )}
      <Checkbox.Group value={refs} onChange={choose} className="stack-12">
        {parts.map((part) => (
          <Paper key={part.label} component="section" withBorder p="lg" className="stack-12" aria-label={part.label}>
            <Title order={2} size="h4">
              {part.label}
            </Title>
            {part.label === 'Records' && <p>Notes, pictures, links and history of a record come with it.</p>}
            {part.hits.map(({ ref, where, excerpt, at }) => (
              <Checkbox
                key={ref}
                value={ref}
                label={where}
                description={[excerpt, at && formatDay(at)].filter(Boolean).join(' · ')}
                styles={{ body: { overflowWrap: 'anywhere' } }}
              />
            ))}
          </Paper>
        ))}
      </Checkbox.Group>
      <Radio.Group
        ref={reasons}
        label="Reason for the erasure"
        error={isAsked && reason === undefined && 'Choose a reason'}
        value={reason ?? null}
        onChange={(value) => setReason(ERASURE_REASONS.find((one) => one === value))}
      >
        <div className="stack-12">
          {ERASURE_REASONS.map((one) => (
            <Radio key={one} value={one} label={REASONS[one]} />
          ))}
        </div>
      </Radio.Group>
      {isUnknown && (
        <fieldset className="stack-12">
          <legend>
            No LinkedIn profile or email address of the person is known here. Those you enter cannot be added again.
          </legend>
          <TextInput
            label="LinkedIn profile not to keep"
            error={fault}
            value={linkedIn}
            onChange={(event) => draft.change({ linkedIn: event.currentTarget.value, email })}
          />
          <TextInput
            label="Email not to keep"
            value={email}
            onChange={(event) => draft.change({ linkedIn, email: event.currentTarget.value })}
          />
        </fieldset>
      )}
      <div>
        <Button
          variant="default"
          disabled={isNone}
          loading={report.isPending}
          onClick={() => report.mutate(refs, { onError: failed })}
        >
          Report
        </Button>{' '}
        <Button color="red" disabled={isNone} loading={erase.isPending} onClick={eraseChosen}>
          Erase…
        </Button>
      </div>
      {report.data && <SaveReport report={report.data} />}
    </section>
  )
}

const save = (name: string, type: string, text: string) => saveFile(new File([text], name, { type }))

/** The report as a page to read and print, and as data. */
function SaveReport({ report }: { report: AccessReport }) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <Paper component="section" withBorder p="lg" className="stack-12" aria-label="Report">
      <Title order={2} size="h4">
        Report
      </Title>
      <p role="status">The report is ready. The page is for reading and printing, the data for other programs.</p>
      <div>
        <Button
          ref={first}
          variant="default"
          onClick={() => save('access-report.html', 'text/html', reportPage(report))}
        >
          Save the page
        </Button>{' '}
        <Button
          variant="default"
          onClick={() => save('access-report.json', 'application/json', JSON.stringify(report, null, 2))}
        >
          Save the data
        </Button>
      </div>
    </Paper>
  )
}
