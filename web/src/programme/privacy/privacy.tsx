import { Anchor, Paper, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'react-router'
import type { UninformedCount } from '#contract/informing.ts'
import { sentenceOf } from '#web/lib/http.ts'
import { programmePath } from '#web/paths.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { shownCount } from '#web/ui/shown-count.ts'
import { countUninformed } from '../informing/api.ts'
import { searchPerson } from './api.ts'
import { Results } from './results.tsx'

/** `28, 17 late` */
const countWords = ({ toInform, late }: UninformedCount) =>
  `${shownCount(toInform) || 0}${late > 0 ? `, ${shownCount(late)} late` : ''}`

/** The search for a person, and what managers do with its results. */
export function Privacy() {
  const draft = useDraft('search for a person', { names: '', linkedIn: '', email: '' })
  const { names, linkedIn, email } = draft.values
  const set = (changes: Partial<typeof draft.values>) => draft.change({ ...draft.values, ...changes })
  const search = useMutation(searchPerson)
  // Without it, the link is there all the same.
  const { data: waiting } = useQuery(countUninformed)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const lines = names.split('\n').map((line) => line.trim())
    search.mutate({ names: lines.filter(Boolean), linkedIn: linkedIn.trim(), email: email.trim() })
  }

  return (
    <div className="stack-12">
      <Anchor component={Link} to={programmePath('privacy/inform')} inherit className="line-link">
        Founders to inform{waiting && ` (${countWords(waiting)})`}
      </Anchor>
      <Paper component="form" withBorder p="lg" className="stack-12" aria-label="Search for a person" onSubmit={submit}>
        <Textarea
          label="Names"
          description="One spelling a line. Accents and the order of words do not matter."
          autosize
          minRows={2}
          value={names}
          onChange={(event) => set({ names: event.currentTarget.value })}
        />
        <TextInput
          label="LinkedIn profile"
          value={linkedIn}
          onChange={(event) => set({ linkedIn: event.currentTarget.value })}
        />
        <TextInput label="Email" value={email} onChange={(event) => set({ email: event.currentTarget.value })} />
        <div>
          <SubmitButton busy={search.isPending} label="Search" busyLabel="Searching…" />
        </div>
      </Paper>
      {search.isError && <p role="alert">{sentenceOf(search.error, 'The search failed. Try again in a moment.')}</p>}
      {search.data && (
        <Results
          key={search.submittedAt}
          person={search.variables}
          hits={search.data}
          onErase={draft.discard}
          onErased={search.reset}
        />
      )}
    </div>
  )
}
