import { z } from 'zod'
import {
  AllowInput,
  PasswordReset,
  PeopleQuery,
  Person,
  type PersonAct,
  PersonChange,
  PersonParams,
  personActs,
} from '#contract/programme.ts'
import { allow, lockManagers, rename } from '#server/auth/account-admin.ts'
import { changeAddress } from '#server/auth/links/address-change.ts'
import { linkTo, OPERATOR_RESET_SECONDS } from '#server/auth/links/one-time-tokens.ts'
import { refuseUnconfirmed } from '#server/auth/sessions/confirmation.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { signUpRefusals } from '#server/auth/sign-up/sign-up.ts'
import { type KnownAccount, stateOf } from '#server/auth/store.ts'
import type { App } from '#server/http/app.ts'
import {
  AppError,
  addressTaken,
  confirmFirst,
  invalid,
  lastManager,
  mailFailed,
  notFound,
  operatorOnly,
} from '#server/http/errors.ts'
import { ANY_NUMBER, head } from '#server/http/head.ts'
import { newest } from '#server/records/cursor.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { isManager } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { acts, erased, outcomeOf, refusalOf } from './acts.ts'
import { notYourself } from './erase-fellow.ts'
import { getPerson, listPeople, lockPerson, NO_PERSON, type PersonRow, wasManager } from './store.ts'

const tag = 'Programme'

/** The accounts of a programme, and what managers do with them. */
export function peopleRoutes(app: App, { db, settings, passwordReset, mailer, ledger }: Services) {
  app.get(
    '/programme/people',
    head({
      ...{ operationId: 'listPeople', summary: 'List the accounts of the programme', tag },
      query: PeopleQuery,
      answers: { 200: z.array(Person) },
      isPaged: true,
    }),
    async (request, reply) => {
      const rows = await listPeople(db, request.query.search ?? '', pageRequest(newest, request))
      return sendPage(newest, request, reply, { rows }).map((row) =>
        presentPerson(row, {
          ...{ mayChangeAddress: mayChangeAddress(row), showsLinks: mailer === undefined },
          isCaller: row.email === callerOf(request).email,
        }),
      )
    },
  )

  /**
   * Where nothing proves addresses. With single sign-on, a manager with an identity of the new address would enter the
   * account.
   */
  const mayChangeAddress = (account: Pick<KnownAccount, 'role' | 'emailVerified'>) =>
    mailer === undefined && settings.sso.length === 0 && !account.emailVerified && !isManager(account)

  /** The link to a new password: mailed to the proven address, or for the manager to pass on where no mail is set up. */
  async function sendOrShowLink(account: KnownAccount, token: string): Promise<z.infer<typeof PasswordReset>> {
    if (mailer === undefined) {
      const expiresAt = new Date(Date.now() + OPERATOR_RESET_SECONDS * 1000)
      return { link: linkTo(settings, '/auth/reset', token), expiresAt: expiresAt.toISOString() }
    }
    if (!(await passwordReset.send(account, token))) throw mailFailed()
    return { isMailed: true }
  }

  for (const name of personActs) {
    const { operationId, summary, confirms, isForFellowsOnly, refusal, work } = acts[name]
    const isReset = name === 'reset-password'
    const endsManager = name === 'disable' || name === 'demote' || name === 'erase'
    app.post(
      `/programme/people/:id/${name}`,
      head({
        ...{ operationId, summary, tag },
        audit: { action: `account-${name}`, kind: 'account', isWritten: true },
        params: PersonParams,
        ...(name === 'erase' && { rows: ANY_NUMBER }),
        answers: { 200: z.union([Person.pick({ id: true }), PasswordReset]) },
        refusals: [
          notFound(NO_PERSON),
          ...(isForFellowsOnly ? [operatorOnly()] : []),
          ...(confirms ? [confirmFirst()] : []),
          ...[erased(), ...(refusal === undefined ? [] : [new AppError(409, refusal)])],
          ...(isReset ? [unproven(), mailFailed()] : []),
          ...(endsManager ? [lastManager()] : []),
          ...(name === 'erase' ? [notYourself()] : []),
        ],
      }),
      async (request) => {
        const { id } = request.params
        const [account, token] = await db.transaction(async (tx) => {
          // Always before accounts, so that two acts never wait for each other.
          if (endsManager) await lockManagers(tx)
          const account = await lockPerson(tx, id)
          if (isForFellowsOnly && isManager(account)) throw operatorOnly()
          // Otherwise one manager would enter the account of another by a demotion and a link.
          if (isReset && mailer === undefined && (await wasManager(tx, account))) throw operatorOnly()
          if (confirms === 'always' || (confirms && isManager(account))) refuseUnconfirmed(request)
          const outcome = outcomeOf(name, account)
          if (outcome === 'refused') throw refusalOf(name, account)
          if (isReset && mailer !== undefined && !account.emailVerified) throw unproven()
          const by = { by: callerOf(request), ledger, isMailed: mailer !== undefined }
          return [account, outcome === 'do' && (await work(tx, account, by))]
        })
        return isReset ? sendOrShowLink(account, String(token)) : { id }
      },
    )
  }

  app.patch(
    '/programme/people/:id',
    head({
      ...{
        operationId: 'updatePerson',
        summary: 'Change the name of a person, or the address where neither mail nor single sign-on is set up',
        tag,
      },
      audit: { action: 'account-change', kind: 'account', isWritten: true },
      params: PersonParams,
      body: PersonChange,
      answers: { 200: Person.pick({ id: true }) },
      refusals: [
        ...[notFound(NO_PERSON), operatorOnly(), confirmFirst(), erased(), provenByMail(), addressTaken()],
        ...signUpRefusals(settings),
      ],
    }),
    async (request) => {
      const { id } = request.params
      const { name, email } = request.body
      const by = callerOf(request)
      const account = await getPerson(db, id)
      const isMoved = email !== undefined && email !== account.email
      if (isMoved && isManager(account)) throw operatorOnly()
      if (isMoved) refuseUnconfirmed(request)
      if (stateOf(account) === 'erased') throw erased()
      if (isMoved && !mayChangeAddress(account)) throw provenByMail()
      if (isMoved) await changeAddress(db, settings, account, { email, by })
      if (name !== undefined) await rename(db, account, { name, by })
      return { id }
    },
  )

  app.post(
    '/programme/allow',
    head({
      ...{ operationId: 'allowAddress', summary: 'Let other spellings of a disabled address sign up', tag },
      audit: { action: 'account-allow', kind: 'account', isWritten: true },
      body: AllowInput,
      answers: { 204: z.null().describe('Allowed') },
    }),
    async (request, reply) => {
      const allowed = await allow(db, request.body.email, callerOf(request))
      if (allowed.length === 0) throw invalid({ email: 'This is not another spelling of a disabled address' })
      return reply.code(204).send(null)
    },
  )
}

const provenByMail = () =>
  new AppError(409, 'Only the person can change this address, or the operator where no mail is set up.')

const unproven = () =>
  new AppError(409, 'The address of this account is not confirmed, so no link can be sent to it. Ask the operator.')

/** `showsLinks`: a link to a new password is shown, not mailed. */
function presentPerson(
  row: PersonRow,
  { mayChangeAddress, showsLinks, isCaller }: { mayChangeAddress: boolean; showsLinks: boolean; isCaller: boolean },
): Person {
  const isOperators = (act: PersonAct) =>
    acts[act].isForFellowsOnly && (isManager(row) || (act === 'reset-password' && showsLinks && row.wasManager))
  const { emailVerified, disabledAt, leftAt, pendingSince, createdAt, lastSeenAt, wasManager, ...person } = row
  return {
    ...person,
    state: stateOf(row),
    isVerified: emailVerified,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    can: personActs.filter(
      (name) =>
        outcomeOf(name, row) === 'do' &&
        !isOperators(name) &&
        !(name === 'erase' && isCaller) &&
        !(name === 'end-tokens' && row.tokens === 0),
    ),
    canChange: stateOf(row) === 'erased' ? [] : mayChangeAddress ? ['name', 'email'] : ['name'],
  }
}
