import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { statuses, statusWords } from '#contract/status.ts'
import { listStages } from '#web/pipeline/api.ts'
import { listTags } from '#web/tags/api.ts'
import type { ControlProps } from './control-props.ts'

type StageSelectProps = { label: string; value: string; onChange: (id: string) => void; none?: string }

export const StageSelect = ({ label, value, onChange, none }: StageSelectProps) => {
  const { data: stages = [] } = useQuery(listStages)
  return (
    <NativeSelect
      label={label}
      data={[
        { value: '', label: 'Any stage' },
        ...(none === undefined ? [] : [{ value: 'none', label: none }]),
        ...stages.map(({ id, name, archived }) => ({ value: id, label: archived ? `${name} (archived)` : name })),
      ]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

export const StageWords = ({ before, id }: { before: string; id: string }) => {
  const { data: stages, isPending } = useQuery(listStages)
  const stage = stages?.find((one) => one.id === id)
  if (!stage) return `${before}: ${isPending ? '…' : 'unknown'}`
  return (
    <>
      {before}: <bdi>{stage.name}</bdi>
    </>
  )
}

export const StatusSelect = ({ filters: { status = '' }, change }: ControlProps) => (
  <NativeSelect
    label="Status"
    data={[{ value: '', label: 'Any status' }, ...statuses.map((value) => ({ value, label: statusWords[value] }))]}
    value={status}
    onChange={({ currentTarget }) => change({ status: currentTarget.value })}
  />
)

export const NextSelect = ({ filters: { next = '' }, change }: ControlProps) => (
  <NativeSelect
    label="Next step"
    data={[
      { value: '', label: 'Any, or none' },
      { value: 'due', label: 'Due today' },
      { value: 'late', label: 'Late' },
    ]}
    value={next}
    onChange={({ currentTarget }) => change({ next: currentTarget.value })}
  />
)

export const TagSelect = ({ filters: { tag = '' }, change }: ControlProps) => {
  const { data: tags = [] } = useQuery(listTags)
  return (
    <NativeSelect
      label="Tag"
      data={[{ value: '', label: 'Any tag' }, ...tags.map(({ id, name }) => ({ value: id, label: name }))]}
      value={tag}
      onChange={({ currentTarget }) => change({ tag: currentTarget.value })}
    />
  )
}

export const TagWords = ({ id }: { id: string }) => {
  const { data: tags, isPending } = useQuery(listTags)
  const tag = tags?.find((one) => one.id === id)
  if (!tag) return isPending ? 'Tag …' : 'A deleted tag'
  return (
    <>
      Tag: <bdi>{tag.name}</bdi>
    </>
  )
}
