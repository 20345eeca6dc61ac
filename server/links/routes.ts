import { z } from 'zod'
import type { LinkedKindName } from '#contract/kinds.ts'
import { ROLE_MAX } from '#contract/limits.ts'
import { LinkedRecord, LinkInput, LinkParams, LinksQuery, SUGGESTED_LINKS_MAX, SuggestedLink } from '#contract/link.ts'
import { hasControls } from '#contract/plain-text.ts'
import { RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { newest } from '#server/records/cursor.ts'
import type { FeatureRoutes } from '#server/records/feature.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { getNotesCount, RECORD_REFUSALS } from '#server/records/store.ts'
import { deleteLink, type LinkRow, listLinks, type Pair, putLink } from './store.ts'
import { listSuggestions, type SuggestionRow } from './suggestions.ts'

const GONE = 'There is no record with this id'

/** The companies of a founder, and the founders of a company. Anyone signed in may link and unlink. */
export const linkRoutes: FeatureRoutes = (app, { db }, kinds) => {
  const kindNamed = <Name extends LinkedKindName>(name: Name) =>
    kinds.find((kind) => kind.name === name) as RecordKind & { name: Name }
  const [founders, companies] = [kindNamed('founder'), kindNamed('company')]
  const tag = 'Links'

  for (const [kind, linked] of [
    [founders, companies],
    [companies, founders],
  ] as const) {
    app.get(
      `/${kind.path}/:id/${linked.path}`,
      head({
        ...{ operationId: `list${kind.label}${linked.plural}`, tag },
        summary: `List the ${linked.path} that are linked to a ${kind.name}, newest link first`,
        params: RecordParams,
        query: LinksQuery,
        answers: { 200: z.array(LinkedRecord) },
        refusals: RECORD_REFUSALS,
        isPaged: true,
      }),
      async (request, reply) => {
        const { id } = request.params
        const page = pageRequest(newest, request)
        // The count of notes throws the 404 for a record that does not exist.
        const [rows] = await Promise.all([listLinks(db, { kind: kind.name, id }, page), getNotesCount(db, kind, id)])
        return sendPage(newest, request, reply, { rows }).map(presentLink)
      },
    )

    app.get(
      `/${kind.path}/:id/${linked.path}/suggested`,
      head({
        ...{ operationId: `listSuggested${kind.label}${linked.plural}`, tag },
        summary: `List the ${linked.path} that a ${kind.name} may belong to, best first, at most ${SUGGESTED_LINKS_MAX}`,
        params: RecordParams,
        answers: { 200: z.array(SuggestedLink) },
        refusals: RECORD_REFUSALS,
      }),
      async ({ params: { id } }) => {
        const [rows] = await Promise.all([listSuggestions(db, { kind: kind.name, id }), getNotesCount(db, kind, id)])
        return rows.map((row) => presentSuggestion(linked, row))
      },
    )
  }

  const path = '/founders/:id/companies/:companyId'
  const shared = { tag, params: LinkParams, refusals: [...RECORD_REFUSALS, notFound(GONE)] }

  /** Throws the refusal for a record that is gone or merged away. */
  async function requireBoth({ founderId, companyId }: Pair) {
    await getNotesCount(db, founders, founderId)
    await getNotesCount(db, companies, companyId)
  }

  app.put(
    path,
    head({
      ...{ operationId: 'putLink', summary: 'Link a founder and a company, or change the role', ...shared },
      audit: { action: 'add-link', kind: 'founder' },
      body: LinkInput,
      answers: { 200: LinkedRecord },
    }),
    async (request) => {
      const pair = { founderId: request.params.id, companyId: request.params.companyId }
      const link = await putLink(db, pair, request.body.role, callerOf(request))
      if (link === undefined) {
        await requireBoth(pair)
        throw notFound(GONE)
      }
      return presentLink(link)
    },
  )

  app.delete(
    path,
    head({
      ...{ operationId: 'deleteLink', summary: 'Remove the link of a founder and a company', ...shared },
      audit: { action: 'delete-link', kind: 'founder' },
      answers: { 204: z.null().describe('Removed') },
    }),
    async (request, reply) => {
      const pair = { founderId: request.params.id, companyId: request.params.companyId }
      const isDone = await deleteLink(db, pair, callerOf(request))
      if (!isDone) await requireBoth(pair)
      return reply.code(204).send(null)
    },
  )
}

const presentLink = ({ linkedId, name, role }: LinkRow): LinkedRecord => ({ id: linkedId, name, role })

function presentSuggestion(kind: RecordKind, row: SuggestionRow): SuggestedLink {
  const { title, company, facts } = kind.brief(row.info)
  return { id: row.id, name: row.name, title, company, facts, role: roleOf(row), reasons: row.reasons }
}

/** A founder with an email address at one company may have the title at another. */
function roleOf({ title, reasons }: SuggestionRow): string {
  const isAtCompany = reasons.some((reason) => reason !== 'email_domain')
  return isAtCompany && title !== null && title.length <= ROLE_MAX && !hasControls(title) ? title : ''
}
