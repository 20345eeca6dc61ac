import { Button, Group, Paper, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { FounderInput } from '#contract/founder.ts'
import { RATING_DEFAULT } from '#contract/limits.ts'
import { paths } from '#web/paths.ts'
import { DuplicateHint } from '#web/records/duplicate-hint.tsx'
import { RatingInput } from '#web/records/rating-input.tsx'
import { useDuplicateCheck } from '#web/records/use-duplicate-check.ts'
import { useRecordForm } from '#web/records/use-record-form.ts'
import { confirm } from '#web/ui/confirm.ts'
import { DraftRestoredHint } from '#web/ui/draft-restored-hint.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { toasts } from '#web/ui/toasts.tsx'
import { createFounder, knownFounder } from './api.ts'

const empty: FounderInput = { name: '', linkedIn: '', notes: '', rating: RATING_DEFAULT }

type FounderFormProps = { account: string; onClose: () => void }

export const FounderForm = ({ account, onClose }: FounderFormProps) => {
  const { form, ...entry } = useRecordForm({ schema: FounderInput, empty, draft: { account, form: 'founder' } })
  const create = useMutation(createFounder)
  const same = useDuplicateCheck(knownFounder, form.values.linkedIn)

  const submit = (founder: FounderInput) =>
    create.mutate(
      { founder, key: entry.key() },
      {
        onSuccess: ({ enrichedData, notice }) => {
          toasts.success(
            enrichedData ? 'Founder added and enriched with LinkedIn data!' : 'Founder added successfully!',
          )
          if (notice) toasts.info(notice)
          entry.dropDraft()
          onClose()
        },
        onError: entry.showFailure,
      },
    )

  const cancel = async () => {
    const mayClose = !entry.isTyped || (await confirm(discard))
    if (!mayClose) return
    entry.dropDraft()
    onClose()
  }

  return (
    <Paper
      component="form"
      withBorder
      className="form"
      noValidate
      aria-label="Add founder"
      onSubmit={form.onSubmit(submit, entry.focusFirst)}
    >
      {entry.isRestored && <DraftRestoredHint startOver={entry.startOver} />}
      <TextInput ref={focusWhenShown} label="Name" required autoComplete="off" {...form.getInputProps('name')} />
      <div>
        <TextInput
          label="LinkedIn profile"
          description="The full address, such as https://www.linkedin.com/in/ada-lovelace"
          required
          type="url"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('linkedIn')}
          onBlur={same.leave}
        />
        <DuplicateHint known={same.known} list={paths.founders} />
      </div>
      <Textarea
        label="Notes"
        description="How you met, what stands out. Everyone on the platform can read it."
        required
        classNames={{ input: 'growing' }}
        {...form.getInputProps('notes')}
      />
      <RatingInput
        label="Rating"
        description="Your first impression, from 1 to 10. It can be changed later."
        value={form.values.rating}
        error={form.errors.rating}
        onChange={(rating) => form.setFieldValue('rating', rating)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={cancel} disabled={create.isPending}>
          Cancel
        </Button>
        <SubmitButton busy={create.isPending} label="Add to Network" busyLabel="Adding…" />
      </Group>
    </Paper>
  )
}

const discard = {
  title: 'Discard this founder?',
  text: 'What you typed will be lost.',
  confirm: 'Discard',
  cancel: 'Keep editing',
}
