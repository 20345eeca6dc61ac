import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { type Filter, filters, type OfferedFilter, type Parameter, type ParameterName } from '#contract/filters.ts'
import { getFellow, NONE } from '#web/fellows/api.ts'
import { formatDay } from '#web/lib/dates.ts'
import { listStages } from '#web/pipeline/api.ts'
import { listTags } from '#web/tags/api.ts'
import type { Filters } from './control-props.ts'

// Only links set a cohort.
const CohortWords = lazy(async () => ({ default: (await import('./cohort-words.tsx')).CohortWords }))

/** What a chip says of a filter in use. */
export function ChipWords({ name, applied }: { name: OfferedFilter; applied: Filters }) {
  const { chip, parameters }: Filter = filters[name]
  // A calendar day, the same in every time zone.
  if (typeof chip === 'function') return chip(applied, (day) => formatDay(`${day}T00:00`))
  const [[parameter, of] = []] = Object.entries(parameters) as [ParameterName, Parameter][]
  const value = (parameter && applied[parameter]) ?? ''
  if (chip === 'cohort')
    return (
      <Suspense fallback="…">
        <CohortWords cohort={value} />
      </Suspense>
    )
  if (chip === 'words') return of?.takes === 'word' && of.words[value]
  if (value === NONE) return chip.none
  const Named = names[chip.nameOf]
  return <Named before={chip.before} id={value} />
}

type NamedProps = { before: string; id: string }

const StageWords = ({ before, id }: NamedProps) => {
  const { data: stages, isPending } = useQuery(listStages)
  const stage = stages?.find((one) => one.id === id)
  if (!stage) return `${before}: ${isPending ? '…' : 'unknown'}`
  return (
    <>
      {before}: <bdi>{stage.name}</bdi>
    </>
  )
}

const TagWords = ({ before, id }: NamedProps) => {
  const { data: tags, isPending } = useQuery(listTags)
  const tag = tags?.find((one) => one.id === id)
  if (!tag) return isPending ? `${before} …` : 'A deleted tag'
  return (
    <>
      {before}: <bdi>{tag.name}</bdi>
    </>
  )
}

const FellowWords = ({ before, id }: NamedProps) => {
  const { data, isPending } = useQuery(getFellow(id))
  if (isPending) return `${before} …`
  return (
    <>
      {before} {data ? <bdi>{data.name}</bdi> : 'a fellow'}
    </>
  )
}

const names = { fellow: FellowWords, stage: StageWords, tag: TagWords }
