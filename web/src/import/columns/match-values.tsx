import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Switch.css'
import { NativeSelect, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Import } from '#contract/import.ts'
import { type MatchedField, matchedFields, pipelineFields } from '#contract/pipeline-fields.ts'
import { capital } from '#contract/plain-text.ts'
import { FellowSelect } from '#web/fellows/fellow-select.tsx'
import { choicesFor } from '#web/import/api.ts'
import classes from '#web/import/import.module.css'
import { countOf } from '#web/import/words.ts'
import type { Matches } from './matches.ts'

type MatchValuesProps = { import: Import; matches: Matches; onChange: (matches: Matches) => void }

const labelIn = (field: MatchedField): string =>
  capital(pipelineFields.find(({ name }) => name === field)?.label ?? field)

/** Stages, statuses, fellows and reasons that the product does not know by name, each with a choice, and unknown tags. */
export function MatchValues({ import: { unmatched }, matches, onChange }: MatchValuesProps) {
  const { choices, createTags } = matches
  const choose = (field: MatchedField, text: string, id: string) =>
    onChange({ ...matches, choices: { ...choices, [field]: { ...choices[field], [text]: id || null } } })
  const { tags = [] } = unmatched
  return (
    <section className={classes.matches} aria-labelledby="values-not-known">
      <Title order={3} size="h4" id="values-not-known">
        Values that are not known here
      </Title>
      <Text size="sm" c="dimmed">
        Choose what each one stands for. What is left out stays in the notes of new records.
      </Text>
      {matchedFields.map((field) =>
        unmatched[field]?.map(({ text, count }) => {
          const props = {
            label: `${labelIn(field)} “${text}”`,
            description: countOf(count, 'row'),
            value: choices[field]?.[text] ?? '',
            onChange: (id: string) => choose(field, text, id),
          }
          return field === 'responsible' ? (
            <FellowSelect key={`${field} ${text}`} placeholder="Leave out" {...props} />
          ) : (
            <MatchName key={`${field} ${text}`} field={field} {...props} />
          )
        }),
      )}
      {tags.length > 0 && (
        <div>
          <Switch
            label={`Create ${countOf(tags.length, 'tag')}`}
            checked={createTags}
            onChange={({ currentTarget }) => onChange({ ...matches, createTags: currentTarget.checked })}
          />
          <Text size="sm" c="dimmed" className={classes.newTags ?? ''}>
            {tags.map(({ text }) => text).join(', ')}
          </Text>
        </div>
      )}
    </section>
  )
}

type MatchNameProps = {
  field: Exclude<MatchedField, 'responsible'>
  label: string
  description: string
  value: string
  onChange: (id: string) => void
}

function MatchName({ field, onChange, ...props }: MatchNameProps) {
  const { data = [], isError } = useQuery(choicesFor(field))
  return (
    <NativeSelect
      {...props}
      data={[{ value: '', label: 'Leave out' }, ...data.map(({ id, name }) => ({ value: id, label: name }))]}
      error={isError && 'The choices could not be loaded. Reload the page.'}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
