import { Button, Group, Paper, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CompanyInput } from '#contract/company.ts'
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
import { createCompany, knownCompany } from './api.ts'

const empty = { name: '', website: '', description: '', notes: '', rating: RATING_DEFAULT } satisfies CompanyInput

type CompanyFormProps = { account: string; onClose: () => void }

export const CompanyForm = ({ account, onClose }: CompanyFormProps) => {
  const { form, ...entry } = useRecordForm({ schema: CompanyInput, empty, draft: { account, form: 'company' } })
  const create = useMutation(createCompany)
  const same = useDuplicateCheck(knownCompany, form.values.website)

  const submit = (company: CompanyInput) =>
    create.mutate(
      { company, key: entry.key() },
      {
        onSuccess: ({ enrichedData, notice }) => {
          toasts.success(
            enrichedData ? 'Company added and enriched with business data!' : 'Company added successfully!',
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
      aria-label="Add company"
      onSubmit={form.onSubmit(submit, entry.focusFirst)}
    >
      {entry.isRestored && <DraftRestoredHint startOver={entry.startOver} />}
      <TextInput ref={focusWhenShown} label="Name" required autoComplete="off" {...form.getInputProps('name')} />
      <div>
        <TextInput
          label="Website (optional)"
          description="The full address, such as https://www.example.com"
          type="url"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('website')}
          onBlur={same.leave}
        />
        <DuplicateHint known={same.known} list={paths.companies} />
      </div>
      <Textarea
        label="Description (optional)"
        description="What the company does, in a sentence or two."
        classNames={{ input: 'growing' }}
        {...form.getInputProps('description')}
      />
      <Textarea
        label="Notes"
        description="How you found it, what stands out. Everyone on the platform can read it."
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
        <SubmitButton busy={create.isPending} label="Add to Portfolio" busyLabel="Adding…" />
      </Group>
    </Paper>
  )
}

const discard = {
  title: 'Discard this company?',
  text: 'What you typed will be lost.',
  confirm: 'Discard',
  cancel: 'Keep editing',
}
