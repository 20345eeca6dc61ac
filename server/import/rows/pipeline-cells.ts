import { isStepDay, STEP_DAY_RULE } from '#contract/days.ts'
import type { Fault } from '#contract/import.ts'
import { CHOICE_TEXT_MAX } from '#contract/import.ts'
import { NEXT_STEP_MAX, PASSING_TEXT_MAX } from '#contract/limits.ts'
import { type MatchedField, type PipelineFileName, pipelineFileFields } from '#contract/pipeline-fields.ts'
import { isVisible, lengthOf } from '#contract/plain-text.ts'
import type { Status } from '#contract/status.ts'
import { RECORD_TAGS_MAX, TAG_NAME_MAX, TAGS_MAX, TagInput } from '#contract/tags.ts'
import { marksEmptiness } from '#server/import/read/cells/cell-values.ts'
import { type DateOrder, timeOf } from '#server/import/read/cells/dates.ts'
import type { RowTexts } from '#server/import/read/columns/mapping.ts'
import type { Reading } from '#server/import/target.ts'
import type { PipelineValues } from '#server/records/written-columns.ts'
import { rights } from '#server/rights.ts'
import { splitTags } from '#server/tags/joined.ts'
import { tagKey } from '#server/tags/key.ts'
import { type NoteLine, noteLine } from './note-lines.ts'
import { hasRoomForTags, type KnownPipeline, nameKey, type UnmatchedCollector } from './pipeline-known.ts'

// Reads the cells of a row that fill the pipeline and the tags of its record.

/** A tag of a row. One without an id is created with the row. */
export type RowTag = { key: string; name: string; id?: string }

export type RowPipeline = {
  /** Values by their columns. */
  values: PipelineValues
  tags: RowTag[]
  /** The values as a record would show them. */
  shown: Partial<Record<PipelineFileName, string>>
  faults: [number, Fault][]
  lines: [number, NoteLine][]
  /** Why the status passed is left out, unless the record is passed already. */
  passed?: { fault: Fault; line: NoteLine }
}

const MISSING: Record<MatchedField, string> = {
  stage: 'No stage has this name',
  status: 'Status must be active, on hold, passed or advanced',
  responsible: 'No fellow has this name or address',
  reason: 'No reason for passing has this name',
}

export const noRowPipeline = (): RowPipeline => ({ values: {}, tags: [], shown: {}, faults: [], lines: [] })

export function pipelineReader(file: Reading, known: KnownPipeline | undefined, unmatched: UnmatchedCollector) {
  if (known === undefined) return noRowPipeline
  const columnOf = (field: PipelineFileName) => (file.mapping[field] as number | undefined) ?? 0
  const headerOf = (field: PipelineFileName) => file.columns[columnOf(field)] ?? ''

  return (texts: RowTexts): RowPipeline => {
    const row = noRowPipeline()
    const faultOf = (field: PipelineFileName, sentence: string): Fault => ({
      ...(headerOf(field) !== '' && { column: headerOf(field) }),
      sentence,
    })
    const keep = (field: PipelineFileName, text: string) =>
      row.lines.push([columnOf(field), noteLine(headerOf(field), text)])
    const leaveOut = (field: PipelineFileName, text: string, sentence: string) => {
      row.faults.push([columnOf(field), faultOf(field, sentence)])
      keep(field, text)
    }
    const textIn = (field: PipelineFileName): string | undefined => {
      const text = texts[field]
      return text === undefined || marksEmptiness(text) ? undefined : text
    }
    const match = (field: MatchedField) => {
      const text = textIn(field)
      if (text === undefined) return undefined
      const { byName, chosen } = known.matches[field]
      const named = byName.get(nameKey(text)) ?? addressIn(text, byName)
      if (named !== undefined) return named
      if (lengthOf(text) <= CHOICE_TEXT_MAX) unmatched.add(field, text)
      const choice = chosen.get(nameKey(text))
      if (choice === undefined) leaveOut(field, text, MISSING[field])
      else if (choice === null) keep(field, text)
      return choice ?? undefined
    }

    const stage = match('stage')
    if (stage) [row.values.stageId, row.shown.stage] = [stage.id, stage.name]
    const responsible = match('responsible')
    if (responsible) [row.values.responsibleId, row.shown.responsible] = [responsible.id, responsible.name]
    const reason = match('reason')
    const status = match('status')
    if (status?.id === 'advanced' && !known.canAdvance) leaveOut('status', texts.status ?? '', rights.advance.why)
    else if (status) [row.values.status, row.shown.status] = [status.id as Status, status.name]
    if (row.values.status === 'passed') readReason()
    else if (reason) keep('reason', texts.reason ?? '')
    readNextStep()
    readTags()
    return row

    function readReason() {
      if (reason === undefined) {
        row.passed = {
          fault: faultOf('status', 'A record that is passed needs a reason, so its status is left out'),
          line: noteLine(headerOf('status'), texts.status ?? ''),
        }
        row.faults.push([columnOf('status'), row.passed.fault])
        row.lines.push([columnOf('status'), row.passed.line])
        return
      }
      const remark = textIn('reasonText')
      const isShort = remark === undefined || lengthOf(remark) <= PASSING_TEXT_MAX
      row.values.passingReasonId = reason.id
      row.values.passingText = isShort ? (remark ?? null) : null
      row.shown.reason = reason.name
      if (isShort && remark !== undefined) row.shown.reasonText = remark
      if (!isShort) leaveOut('reasonText', remark, `The remark must be at most ${PASSING_TEXT_MAX} characters`)
    }

    function readNextStep() {
      const step = textIn('nextStep')
      const line = step?.replace(/[\s\p{Cc}]+/gu, ' ').trim() ?? ''
      if (step !== undefined && isVisible(line)) {
        const isLong = lengthOf(line) > NEXT_STEP_MAX
        const text = isLong ? [...line].slice(0, NEXT_STEP_MAX).join('').trim() : line
        ;[row.values.nextStep, row.shown.nextStep] = [text, text]
        if (isLong) leaveOut('nextStep', step, `The next step is cut to ${NEXT_STEP_MAX} characters`)
      }
      const day = textIn('nextOn')
      if (day === undefined) return
      const date = dayOf(file, columnOf('nextOn'), day)
      if (date === 'ambiguous') leaveOut('nextOn', day, 'Choose whether this date has the day or the month first')
      else if (date === undefined || !isStepDay(date)) leaveOut('nextOn', day, STEP_DAY_RULE)
      else [row.values.nextOn, row.shown.nextOn] = [date, date]
    }

    function readTags() {
      const text = textIn('tags')
      if (text === undefined) return
      for (const name of splitTags(text)) {
        const tag = tagOf(name)
        if (typeof tag === 'string') leaveOut('tags', name, tag)
        else if (row.tags.some(({ key }) => key === tag.key)) continue
        else if (row.tags.length >= RECORD_TAGS_MAX)
          leaveOut('tags', name, `A record has at most ${RECORD_TAGS_MAX} tags`)
        else row.tags.push(tag)
      }
      if (row.tags.length > 0) row.shown.tags = row.tags.map(({ name }) => name).join(', ')
    }

    /** The tag, or why there is none. */
    function tagOf(name: string): RowTag | string {
      const key = tagKey(name)
      const tag = known?.tags.get(key)
      if (tag !== undefined && tag.id !== '') return { key, ...tag }
      const read = TagInput.safeParse({ name })
      if (!read.success) return `A tag must be one line of at most ${TAG_NAME_MAX} characters`
      unmatched.add('tags', read.data.name)
      if (!known?.createsTags) return 'No tag has this name'
      if (tag === undefined && !hasRoomForTags(known)) return `There are ${TAGS_MAX} tags already`
      // Its first spelling in the file is its name.
      const created = tag ?? { id: '', name: read.data.name }
      known.tags.set(key, created)
      return { key, name: created.name }
    }
  }
}

/** The fellow of a text such as `Ada Byron <ada@mit.edu>`. */
function addressIn<Value>(text: string, byName: Map<string, Value>): Value | undefined {
  const [, address] = /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text) ?? []
  return address === undefined ? undefined : byName.get(nameKey(address))
}

/** A day, as `YYYY-MM-DD`. */
function dayOf({ inspection, dates }: Reading, column: number, text: string): string | 'ambiguous' | undefined {
  const proven = inspection.dates[column]?.order
  const order: DateOrder | undefined = proven === undefined || proven === 'either' ? (dates ?? undefined) : proven
  const time = timeOf(text, order)
  if (time === undefined || time === 'ambiguous') return time
  return time.toISOString().slice(0, 10)
}

/** The names of the fields, as rows are shown. */
export const pipelineNames: readonly PipelineFileName[] = pipelineFileFields.map(({ name }) => name)
