import { isStepDay, LOOK_AGAIN_RULE, STEP_DAY_RULE } from '#contract/days.ts'
import { CHOICE_TEXT_MAX } from '#contract/import.ts'
import { NEXT_STEP_MAX, PASSING_TEXT_MAX } from '#contract/limits.ts'
import { type MatchedField, type PipelineFileName, pipelineFileFields } from '#contract/pipeline-fields.ts'
import { isVisible, lengthOf } from '#contract/plain-text.ts'
import { RECORD_TAGS_MAX, TAG_NAME_MAX, TAGS_MAX, TagInput } from '#contract/tags.ts'
import type { Reading } from '#server/import/target.ts'
import { rights } from '#server/rights.ts'
import { splitTags } from '#server/tags/joined.ts'
import { tagKey } from '#server/tags/key.ts'
import { hasRoomForTags, type KnownPipeline, nameKey, type UnmatchedCollector } from './pipeline-known.ts'
import { AMBIGUOUS, type Reader, type RowField, timeIn, unreadable } from './readers.ts'

// How the cells of the pipeline and of tags are read.

/** A tag of a row. One without an id is created with the row. */
export type RowTag = { key: string; name: string; id?: string }

const MISSING: Record<MatchedField, string> = {
  stage: 'No stage has this name',
  status: 'Status must be active, on hold, passed or advanced',
  responsible: 'No fellow has this name or address',
  reason: 'No reason for passing has this name',
}

/** The fields of the pipeline, and tags, in the order of their declaration: a reason is read after its status. */
export function pipelineRowFields(file: Reading, known: KnownPipeline, unmatched: UnmatchedCollector): RowField[] {
  const matched =
    (field: MatchedField): Reader =>
    (text) => {
      const { byName, chosen } = known.matches[field]
      const named = byName.get(nameKey(text)) ?? addressIn(text, byName)
      if (named === undefined && lengthOf(text) <= CHOICE_TEXT_MAX) unmatched.add(field, text)
      const match = named ?? chosen.get(nameKey(text))
      if (match === undefined) return unreadable(MISSING[field])
      return match === null ? { isPart: true } : { value: match.id, shown: match.name }
    }
  const day =
    (rule: string): Reader =>
    (text, column) => {
      const time = timeIn(file, text, column)
      if (time === 'ambiguous') return AMBIGUOUS
      const day = time?.toISOString().slice(0, 10)
      return day !== undefined && isStepDay(day) ? { value: day, shown: day } : unreadable(rule)
    }
  const status = matched('status')
  const reason = matched('reason')

  const readers: Record<PipelineFileName, Reader> = {
    stage: matched('stage'),
    status(...cell) {
      const read = status(...cell)
      return read.value === 'advanced' && !known.canAdvance ? unreadable(rights.advance.why) : read
    },
    responsible: matched('responsible'),
    nextStep,
    nextOn: day(STEP_DAY_RULE),
    reason(text, column, header, values) {
      const { value, ...read } = reason(text, column, header)
      if (value === undefined) return read
      return values?.status === 'passed' ? { value, ...read } : { isPart: true }
    },
    reasonText(text, _column, _header, values) {
      if (values?.passingReasonId === undefined) return {}
      if (lengthOf(text) <= PASSING_TEXT_MAX) return { value: text, shown: text }
      return unreadable(`The remark must be at most ${PASSING_TEXT_MAX} characters`)
    },
    lookAgainOn(text, column, header, values) {
      return values?.passingReasonId === undefined ? { isPart: true } : day(LOOK_AGAIN_RULE)(text, column, header)
    },
    tags: (text) => readTags(text, known, unmatched),
  }
  return pipelineFileFields.map((field) => ({
    ...{ name: field.name, to: 'pipeline', key: 'column' in field ? field.column : field.name },
    ...{ isText: false, read: readers[field.name] },
  }))
}

/** The fellow of a text such as `Ada Byron <ada@mit.edu>`. */
function addressIn<Value>(text: string, byName: Map<string, Value>): Value | undefined {
  const [, address] = /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text) ?? []
  return address === undefined ? undefined : byName.get(nameKey(address))
}

const nextStep: Reader = (text) => {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (!isVisible(line)) return {}
  if (lengthOf(line) <= NEXT_STEP_MAX) return { value: line, shown: line }
  const cut = [...line].slice(0, NEXT_STEP_MAX).join('').trim()
  return { value: cut, shown: cut, isPart: true, sentence: `The next step is cut to ${NEXT_STEP_MAX} characters` }
}

function readTags(text: string, known: KnownPipeline, unmatched: UnmatchedCollector): ReturnType<Reader> {
  const tags: RowTag[] = []
  const left = splitTags(text).flatMap((name) => {
    const tag = tagOf(name, known, unmatched)
    if (typeof tag === 'string') return [{ text: name, sentence: tag }]
    if (tags.some(({ key }) => key === tag.key)) return []
    if (tags.length >= RECORD_TAGS_MAX)
      return [{ text: name, sentence: `A record has at most ${RECORD_TAGS_MAX} tags` }]
    tags.push(tag)
    return []
  })
  return { left, ...(tags.length > 0 && { value: tags, shown: tags.map(({ name }) => name).join(', ') }) }
}

/** The tag, or why there is none. */
function tagOf(name: string, known: KnownPipeline, unmatched: UnmatchedCollector): RowTag | string {
  const key = tagKey(name)
  const tag = known.tags.get(key)
  if (tag !== undefined && tag.id !== '') return { key, ...tag }
  const read = TagInput.safeParse({ name })
  if (!read.success) return `A tag must be one line of at most ${TAG_NAME_MAX} characters`
  unmatched.add('tags', read.data.name)
  if (!known.createsTags) return 'No tag has this name'
  if (tag === undefined && !hasRoomForTags(known)) return `There are ${TAGS_MAX} tags already`
  // Its first spelling in the file is its name.
  const created = tag ?? { id: '', name: read.data.name }
  known.tags.set(key, created)
  return { key, name: created.name }
}
