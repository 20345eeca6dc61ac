import { z } from 'zod'
import { email as Email } from '#contract/auth.ts'
import {
  InvitationOutcome,
  InvitationParams,
  InvitationsInput,
  OpenInvitation,
  PeopleQuery,
} from '#contract/programme.ts'
import { invite, uninvite } from '#server/auth/account-admin.ts'
import { invitationEmail } from '#server/auth/links/email-templates.ts'
import { type Caller, callerOf } from '#server/auth/sessions/session.ts'
import { countOrRefuse, invitationsOf } from '#server/auth/sign-in/throttle.ts'
import { invitationLink } from '#server/auth/sign-up/invitations.ts'
import type { App } from '#server/http/app.ts'
import { AppError, mailFailed, notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { newest } from '#server/records/cursor.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { Services } from '#server/services.ts'
import { listInvitations } from './store.ts'

const tag = 'Programme'
const TWICE = 'This address is in the list twice'
const NO_INVITATION = 'There is no such invitation'

/** Invitations to the programme: mailed, or links to pass on. */
export function invitationRoutes(app: App, { db, settings, mailer }: Services) {
  /** Invites one address, or anyone without one. A refusal is part of the result, so that it does not stop the others. */
  async function inviteOne(by: Caller, typed?: string): Promise<InvitationOutcome> {
    const about = typed === undefined ? {} : { email: typed }
    const address = typed === undefined ? undefined : Email.safeParse(typed)
    if (address?.success === false) return { ...about, error: address.error.issues[0]?.message ?? '' }
    try {
      const { id, token, expiresAt } = await invite(db, settings, by, address?.data)
      const link = invitationLink(settings, token)
      const made = { id, ...about, expiresAt: expiresAt.toISOString() }
      if (mailer === undefined || address === undefined) return { ...made, link }
      if (await mailer.send(invitationEmail(address.data, settings.programmeName, link))) return made
      await uninvite(db, id, by)
      throw mailFailed()
    } catch (error) {
      if (error instanceof AppError) return { ...about, error: error.message }
      throw error
    }
  }

  app.post(
    '/programme/invitations',
    head({
      ...{ operationId: 'createInvitations', summary: 'Invite people, each with its own outcome', tag },
      audit: { action: 'account-invite', kind: 'invitation' },
      body: InvitationsInput,
      answers: { 201: z.array(InvitationOutcome) },
      isThrottled: true,
    }),
    async (request, reply) => {
      const { emails = [] } = request.body
      const by = callerOf(request)
      // In a transaction, so that a refused call counts nothing.
      await db.transaction((tx) => countOrRefuse(tx, invitationsOf(by.id), Math.max(1, emails.length)))
      const outcomes: InvitationOutcome[] = []
      for (const [at, typed] of (emails.length > 0 ? emails : [undefined]).entries()) {
        const isRepeated = emails
          .slice(0, at)
          .some((other) => other.trim().toLowerCase() === typed?.trim().toLowerCase())
        outcomes.push(isRepeated ? { email: typed, error: TWICE } : await inviteOne(by, typed))
      }
      return reply.code(201).send(outcomes)
    },
  )

  app.get(
    '/programme/invitations',
    head({
      ...{ operationId: 'listInvitations', summary: 'List the open invitations, without their links', tag },
      query: PeopleQuery.omit({ search: true }),
      answers: { 200: z.array(OpenInvitation) },
      isPaged: true,
    }),
    async (request, reply) => {
      const rows = await listInvitations(db, pageRequest(newest, request))
      return sendPage(newest, request, reply, { rows }).map(({ createdAt, expiresAt, ...invitation }) => ({
        ...invitation,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      }))
    },
  )

  app.delete(
    '/programme/invitations/:id',
    head({
      ...{ operationId: 'deleteInvitation', summary: 'Withdraw an open invitation', tag },
      audit: { action: 'account-uninvite', kind: 'invitation' },
      params: InvitationParams,
      answers: { 204: z.null().describe('Withdrawn') },
      refusals: [notFound(NO_INVITATION)],
    }),
    async (request, reply) => {
      if (!(await uninvite(db, request.params.id, callerOf(request)))) throw notFound(NO_INVITATION)
      return reply.code(204).send(null)
    },
  )
}
