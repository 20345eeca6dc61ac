import type { DroppedValue } from '#contract/merge.ts'
import { pipelineFields } from '#contract/pipeline-fields.ts'
import { formatDay } from '#web/lib/dates.ts'

type DroppedValuesProps = { record: { name: string }; values: DroppedValue[] }

/** A sentence about what the survivor does not get of the pipeline of the other record. */
export const DroppedValues = ({ record, values }: DroppedValuesProps) => (
  <>
    Not kept of <bdi>{record.name}</bdi>, because the other record has its own:{' '}
    {values.map(({ field, value }, at) => {
      const declared = pipelineFields.find(({ name }) => name === field)
      return (
        <span key={field}>
          {at > 0 && '; '}
          {declared?.label} <bdi>{declared && 'isDay' in declared ? formatDay(`${value}T00:00`) : value}</bdi>
        </span>
      )
    })}
    . An undo of the merge gives it back.
  </>
)
