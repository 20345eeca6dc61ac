import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { NextStep, NextStepCounts, NextStepsQuery, Stay, StaysQuery, ViewerQuery } from '#contract/board.ts'
import { kindNamed } from '#contract/kinds.ts'
import { RecordParams } from '#contract/record.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { type Caller, callerOf } from '#server/auth/sessions/session.ts'
import { notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { newest } from '#server/records/cursor.ts'
import type { FeatureRoutes } from '#server/records/feature.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { getKindOf, RECORD_REFUSALS } from '#server/records/store.ts'
import { calendarOf } from './calendar.ts'
import { type DatedStep, type EndedStep, listEndedSteps, withSequence } from './ended-steps.ts'
import { countNextSteps, listNextSteps, presentNextStep, soonest } from './next-steps.ts'
import { listStays, presentStay } from './stays.ts'
import { getPipeline } from './store.ts'

const tag = 'Pipeline'
const NO_NEXT_STEP = 'This record has no next step with a date'

const CalendarFile = {
  description: 'A calendar file',
  content: { 'text/calendar': { schema: z.unknown().meta({ type: 'string' }) } },
}

/** The stays of a record, and next steps, also as calendar files. */
export const pipelineListRoutes: FeatureRoutes = (app, { db, settings }, kinds) => {
  app.get(
    '/records/:id/stays',
    head({
      ...{ operationId: 'listStays', summary: 'List the stays of a record in stages, newest first', tag },
      params: RecordParams,
      query: StaysQuery,
      answers: { 200: z.array(Stay) },
      refusals: RECORD_REFUSALS,
      isPaged: true,
    }),
    async (request, reply) => {
      const { id } = request.params
      await getKindOf(db, kinds, id)
      const rows = await listStays(db, id, pageRequest(newest, request))
      return sendPage(newest, request, reply, { rows }).map((row) => presentStay(id, row))
    },
  )

  app.get(
    '/next-steps',
    head({
      ...{ operationId: 'listNextSteps', summary: "List the caller's next steps with a date, soonest first", tag },
      query: NextStepsQuery,
      answers: { 200: z.array(NextStep) },
      isPaged: true,
    }),
    async (request, reply) => {
      const page = pageRequest(soonest, request)
      const rows = await listNextSteps(db, callerOf(request), { ...request.query, page })
      return sendPage(soonest, request, reply, { rows }).map(presentNextStep)
    },
  )

  app.get(
    '/next-steps/counts',
    head({
      ...{ operationId: 'countNextSteps', summary: "Count the caller's next steps that are late or due today", tag },
      query: ViewerQuery,
      answers: { 200: NextStepCounts.nullable().describe('Null without any') },
    }),
    async (request) => (await countNextSteps(db, callerOf(request), request.query.timeZone)) ?? null,
  )

  /** The file is in the audit log, so that the page of an erasure can name its holder. */
  async function sendCalendar(
    reply: FastifyReply,
    by: Caller,
    { steps, ended = [] }: { steps: DatedStep[]; ended?: EndedStep[] },
    filter: Record<string, string>,
  ) {
    await recordAuditEntry(db, { action: 'export-calendar', by, detail: { ...filter, count: steps.length } })
    const days = [...(await withSequence(db, steps)), ...ended].map(({ kind, name, nextStep, nextOn, ...step }) => ({
      ...{ ...step, day: nextOn },
      summary: nextStep ? `${nextStep} (${name})` : ['Next step', ...(name === null ? [] : [name])].join(': '),
      url: `${settings.address}/${kindNamed(kind).path}/${step.id}`,
    }))
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="next-steps.ics"')
      .send(calendarOf(days))
  }

  app.get(
    '/next-steps.ics',
    {
      // A HEAD request would be in the history as a file.
      exposeHeadRoute: false,
      ...head({
        ...{ operationId: 'exportNextSteps', summary: "Export the caller's next steps as a calendar file", tag },
        query: ViewerQuery,
        answers: { 200: CalendarFile },
      }),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const [steps, ended] = await Promise.all([listNextSteps(db, caller, {}), listEndedSteps(db, caller)])
      return sendCalendar(reply, caller, { steps, ended }, { mine: 'true' })
    },
  )

  app.get(
    '/records/:id/next-step.ics',
    {
      exposeHeadRoute: false,
      ...head({
        ...{ operationId: 'exportNextStep', summary: 'Export the next step of a record as a calendar file', tag },
        params: RecordParams,
        query: ViewerQuery,
        answers: { 200: CalendarFile },
        refusals: [...RECORD_REFUSALS, notFound(NO_NEXT_STEP)],
      }),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = request.params
      const kind = await getKindOf(db, kinds, id)
      const { name, nextStep, nextOn, pipelineVersion: version } = await getPipeline(db, kind, id)
      if (nextOn === null) throw notFound(NO_NEXT_STEP)
      const steps = [{ id, kind: kind.name, name, nextStep, nextOn, version }]
      return sendCalendar(reply, caller, { steps }, { record: id })
    },
  )
}
