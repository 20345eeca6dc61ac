import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Pill.css'
import { Button, Group, MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Fellow } from '#contract/fellow.ts'
import { NAMED_MAX, SEARCH_MAX } from '#contract/limits.ts'
import { listFellows } from '#web/fellows/api.ts'
import { ApiError } from '#web/lib/http.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { tooLong } from '#web/ui/too-long.ts'
import { askForOpinions, type Judged } from './api.ts'
import { askedSentence } from './opinion-words.ts'
import classes from './opinions.module.css'

/** In milliseconds, after the last key. */
const WAIT = 150

const labelOf = ({ name, email }: Fellow) => name || email

/** Chooses fellows by name or address, and asks them for their opinion. No one else sees whom. */
export function AskForm({ judged, onEnd }: { judged: Judged; onEnd: () => void }) {
  const { email } = useCurrentUser()
  const [chosen, setChosen] = useState<Fellow[]>([])
  const [typed, setTyped] = useState('')
  const fault = tooLong('Name', typed, SEARCH_MAX)
  const search = fault ? '' : typed.trim()
  const [waited] = useDebouncedValue(search, WAIT)
  const found = useQuery({ ...listFellows(waited), placeholderData: keepPreviousData })
  const isOutdated = search !== waited || found.isPlaceholderData
  const asking = useMutation(askForOpinions(judged))
  const { cancel, cancelOnEscape } = createCancel({
    isTyped: () => chosen.length > 0,
    isBusy: asking.isPending,
    onCancel: onEnd,
  })
  const fellows = [...chosen, ...(found.data ?? []).filter((fellow) => fellow.email !== email)]
  const byId = new Map(fellows.map((fellow) => [fellow.id, fellow]))
  const ask = async () => {
    await asking.mutateAsync(chosen.map(({ id }) => id))
    toasts.success(askedSentence(chosen.map(labelOf)))
    onEnd()
  }
  const refusal = asking.error instanceof ApiError ? asking.error.fields.fellows : undefined
  return (
    <form
      className={classes.form}
      aria-label="Ask for opinions"
      onKeyDown={(event) => {
        // The first Escape closes the list of names.
        const isListOpen = event.target instanceof Element && event.target.hasAttribute('data-expanded')
        if (!isListOpen) cancelOnEscape(event)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        // A failure has its toast.
        ask().catch(() => undefined)
      }}
    >
      <MultiSelect
        ref={focusWhenShown}
        label="Ask which fellows?"
        description="They see that you asked. No one else sees whom."
        placeholder={chosen.length === 0 ? 'Name' : ''}
        searchable
        hidePickedOptions
        withScrollArea={false}
        openOnFocus={false}
        disabled={asking.isPending}
        maxValues={NAMED_MAX}
        // The server has searched.
        filter={({ options }) => options}
        selectFirstOptionOnChange={!isOutdated}
        data={[...byId.values()].map((fellow) => ({ value: fellow.id, label: labelOf(fellow) }))}
        value={chosen.map(({ id }) => id)}
        onChange={(ids) => {
          setChosen(ids.flatMap((id) => byId.get(id) ?? []))
          asking.reset()
        }}
        searchValue={typed}
        onSearchChange={setTyped}
        renderOption={({ option }) => (
          <span className={classes.fellow}>
            <bdi>{option.label}</bdi>
            <span className={classes.quiet}>{byId.get(option.value)?.email}</span>
          </span>
        )}
        error={fault ?? refusal ?? (found.isError && 'The fellows could not be loaded.')}
        // Without one, a list that has nothing left for a moment is not shown.
        nothingFoundMessage={isOutdated || found.isFetching ? undefined : 'No fellow found'}
        comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
      />
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={asking.isPending} onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton
          size="xs"
          busy={asking.isPending}
          disabled={chosen.length === 0}
          label="Ask"
          busyLabel="Asking…"
        />
      </Group>
    </form>
  )
}
