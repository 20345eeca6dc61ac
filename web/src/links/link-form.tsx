import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/InlineInput.css'
import { Button, Group, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { fold } from '#contract/fold.ts'
import { NAME_MAX, ROLE_MAX, SEARCH_MAX } from '#contract/limits.ts'
import { findRecords } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import type { TypedDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { tooLong } from '#web/ui/too-long.ts'
import { putLink } from './api.ts'
import type { LinkDraft, LinkRecordProps } from './link-record-props.ts'
import classes from './linked-records.module.css'
import { RoleInput } from './role-input.tsx'

/** In milliseconds, after the last key. */
const WAIT = 150

/** In place of an id: the row that adds a record. */
const NEW = 'new'

type LinkFormProps = LinkRecordProps & {
  draft: TypedDraft<LinkDraft>
  /** False for a form that was already open when the page loaded. */
  takesFocus: boolean
  /** Opens the form that adds a record of this name. */
  onAdd: (name: string) => void
  onEnd: () => void
}

/**
 * Finds a record of the other kind by name and links it, with a role if one is given. Offers to add one where none has
 * that name.
 */
export function LinkForm({ own, linkedKind, linkedIds, draft, takesFocus, onAdd, onEnd }: LinkFormProps) {
  const { text, chosen, role } = draft.values
  const set = (changes: Partial<LinkDraft>) => draft.change((values) => ({ ...values, ...changes }))
  const isTooLong = tooLong('Role', role, ROLE_MAX) !== undefined
  const [waited] = useDebouncedValue(text.trim(), WAIT)
  // The box of a chosen record has its name, which is not a search.
  const search = waited === chosen?.name ? '' : waited
  const { data, isError, isFetching, refetch } = useQuery(findRecords(linkedKind, search))
  const { mutateAsync, isPending } = useMutation(putLink(own))
  const found = search === '' ? [] : (data ?? []).filter(({ id }) => id !== chosen?.id && !linkedIds.includes(id))
  const offered = chosen ? [chosen, ...found] : found
  const isSearching = isFetching || text.trim() !== waited
  const isHere = data?.some(({ name }) => fold(name) === fold(search)) ?? false
  const isNew = search !== '' && !isSearching && !isError && !isHere && !tooLong('Name', search, NAME_MAX)
  const isTyping = useRef(false)
  const { cancel, cancelOnEscape } = createCancel({ isTyped: () => draft.isTyped, isBusy: isPending, onCancel: onEnd })
  return (
    <form
      className={classes.form}
      aria-label={`Link a ${linkedKind.name}`}
      onKeyDown={(event) => {
        // The first Escape closes the list of names.
        const isListOpen = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
        if (!isListOpen) cancelOnEscape(event)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen && !isTooLong) void mutateAsync({ id: chosen.id, role }).then(onEnd, () => undefined)
      }}
    >
      <Select
        ref={takesFocus ? focusWhenShown : null}
        searchable
        label={`Link which ${linkedKind.name}?`}
        placeholder="Name"
        disabled={isPending}
        // The server has searched.
        filter={({ options }) => options}
        data={[
          ...offered.map(({ id, name }) => ({ value: id, label: name })),
          ...(isNew ? [{ value: NEW, label: `Add "${search}"` }] : []),
        ]}
        renderOption={({ option }) =>
          option.value === NEW ? (
            <span className={classes.new}>
              <IconPlus size={16} stroke={1.5} aria-hidden="true" />
              <bdi>{option.label}</bdi>
            </span>
          ) : (
            <Offered kind={linkedKind} record={offered.find(({ id }) => id === option.value)} />
          )
        }
        value={chosen?.id ?? null}
        onChange={(id) => {
          if (id === NEW) onAdd(search)
          else set({ chosen: offered.find((record) => record.id === id) ?? null })
        }}
        searchValue={text}
        onInput={() => {
          isTyping.current = true
        }}
        onSearchChange={(text) => {
          // The box would forget what is typed when it loses the focus.
          if (text !== '' || isTyping.current) set({ text })
          isTyping.current = false
        }}
        openOnFocus={false}
        error={tooLong('Name', text, SEARCH_MAX)}
        nothingFoundMessage={text.trim() && statusOf(linkedKind, isSearching, isError)}
        comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
      />
      {isError && (
        <Button variant="default" size="xs" onClick={() => refetch()}>
          Try again
        </Button>
      )}
      <RoleInput label="Role (optional)" role={role} disabled={isPending} onRole={(role) => set({ role })} />
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={isPending} onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton size="xs" busy={isPending} disabled={!chosen} label="Link" busyLabel="Linking…" />
      </Group>
    </form>
  )
}

/** Names repeat, so each has a line about it. */
const Offered = ({ kind, record }: { kind: RecordKind; record: RecordRow | undefined }) => {
  if (!record) return null
  const { about } = kind.brief(record)
  return (
    <div className={classes.what}>
      <bdi>{record.name}</bdi>
      {about !== '' && <p className={classes.quiet}>{about}</p>}
    </div>
  )
}

const statusOf = ({ path }: RecordKind, isFetching: boolean, isError: boolean) => {
  if (isError) return `The ${path} could not be loaded.`
  return isFetching ? 'Searching…' : `No other ${path} found`
}
