import { and, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { accounts } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { addressDisabled, addressRefused, invitationRefused, invitationRequired } from '#server/http/errors.ts'
import type { Invitation } from './invitations.ts'
import { type JoinRule, mayJoin } from './join-rule.ts'

// Who may have an account. `createAccount` checks it for every way to sign up.

type SignUpPolicy = { mode: Settings['signUp']; rule: JoinRule }

/** The one place that decides which policy applies now. */
const signUpPolicy = ({ signUp, teamDomain, joinDomains }: Settings): SignUpPolicy => ({
  mode: signUp,
  rule: { teamDomain, joinDomains },
})

/** What a sign-up may refuse, for the heads of its routes. */
export const signUpRefusals = (settings: Settings) => [
  addressRefused(signUpPolicy(settings).rule),
  addressDisabled(),
  invitationRequired(),
  invitationRefused(),
]

/** Throws the 403 for an address that may not join, whatever else is known about it. */
export function refuseAddress(settings: Settings, email: string): void {
  const { rule } = signUpPolicy(settings)
  if (!mayJoin(email, rule)) throw addressRefused(rule)
}

export type Applicant = {
  email: string
  /** Set when a valid invitation for this address was found. */
  invitation?: Invitation | undefined
  /** The link carried an invitation, valid or not. */
  hasLink?: boolean
}

/** Throws the 403 for an applicant who may not have an account. Invitations never widen the join rule. */
export async function refuseSignUp(
  db: Database,
  settings: Settings,
  { email, invitation, hasLink = false }: Applicant,
): Promise<void> {
  refuseAddress(settings, email)
  const disabled = await findDisabledSpellings(db, email)
  if (disabled.some(({ readmittedAt }) => readmittedAt === null)) throw addressDisabled()
  if (signUpPolicy(settings).mode !== 'invited' || invitation) return
  throw hasLink ? invitationRefused() : invitationRequired()
}

/** Whether a new account has to wait for approval. */
export const awaitsApproval = (settings: Settings, { invitation }: Applicant): boolean =>
  signUpPolicy(settings).mode === 'approval' && invitation === undefined

/**
 * The disabled accounts whose address differs from this one only in case, dots and a tag, in the order in which they
 * are locked.
 */
export const findDisabledSpellings = (db: Database, email: string) =>
  db
    .select({ id: accounts.id, email: accounts.email, readmittedAt: accounts.readmittedAt })
    .from(accounts)
    .where(and(sql`plain_address(${accounts.email}) = plain_address(${email})`, isNotNull(accounts.disabledAt)))
    .orderBy(accounts.id)
