import type { Wording } from './audit-entry.ts'

const statusSentences: Record<string, (record: string) => string> = {
  active: (record) => `made ${record} active`,
  'on hold': (record) => `put ${record} on hold`,
  passed: (record) => `passed on ${record}`,
  advanced: (record) => `advanced ${record}`,
}

/** What a change of the pipeline did: `moved this record to In review and set the next step`. */
export function pipelineSentence({ isEmpty, at, of, pipeline }: Wording): string {
  if (isEmpty) return `saved the pipeline${at('of')} without changes`
  const { stage, status, responsible } = pipeline
  const record = of()
  const parts = [
    ...(status ? [statusSentences[status]?.(record)] : []),
    ...(stage === undefined
      ? []
      : [stage === null ? `took ${record} out of its stage` : `moved ${record} to ${stage}`]),
    ...(responsible === undefined
      ? []
      : [
          responsible === null
            ? `made no one responsible for ${record}`
            : `made ${responsible} responsible for ${record}`,
        ]),
    // A record that is passed or advanced has no next step, which goes without saying.
    ...(status !== 'passed' && status !== 'advanced' && ('nextStep' in pipeline || 'nextOn' in pipeline)
      ? [`${(pipeline.nextStep ?? pipeline.nextOn) ? 'set' : 'ended'} the next step${at('of')}`]
      : []),
    ...(!status && ('reason' in pipeline || 'reasonText' in pipeline)
      ? [`changed the reason for passing on ${record}`]
      : []),
    ...(!status && 'lookAgainOn' in pipeline
      ? [pipeline.lookAgainOn ? `set when to look again${at('at')}` : `ended the day to look again${at('at')}`]
      : []),
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return `changed the pipeline of ${record}`
  const last = parts.at(-1) as string
  return parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
