import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { accounts, settings } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { addressDisabled, addressRefused, invitationRefused, invitationRequired } from '#server/http/errors.ts'
import type { Invitation } from './invitations.ts'
import { type JoinRule, mayJoin } from './join-rule.ts'

// Who may have an account. `createAccount` checks it for every way to sign up.

type SignUpPolicy = { mode: NonNullable<Settings['signUp']>; rule: JoinRule }

/** What managers have chosen, as far as the environment leaves it open. */
export type ChosenSignUp = { mode: SignUpPolicy['mode']; domains: string[] }

const KEY = 'sign-up'
const DEFAULT: ChosenSignUp = { mode: 'open', domains: [] }

export async function chosenSignUp(db: Database): Promise<ChosenSignUp> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, KEY))
  return row === undefined ? DEFAULT : JSON.parse(row.value)
}

/** Replaces the choice. Every server follows it from its next sign-up on. */
export async function chooseSignUp(tx: Database, choice: ChosenSignUp): Promise<void> {
  const value = JSON.stringify(choice)
  await tx.insert(settings).values({ key: KEY, value }).onConflictDoUpdate({ target: settings.key, set: { value } })
}

/** The one place that decides which policy applies now. The environment wins. */
export async function signUpPolicy(db: Database, { signUp, teamDomain, joinDomains }: Settings): Promise<SignUpPolicy> {
  const { mode, domains } = await chosenSignUp(db)
  const chosen = domains.length > 0 ? domains : undefined
  return { mode: signUp ?? mode, rule: { teamDomain, joinDomains: joinDomains ?? chosen } }
}

/** What a sign-up may refuse, for the heads of its routes. */
export const signUpRefusals = ({ teamDomain, joinDomains }: Settings) => [
  addressRefused({ teamDomain, joinDomains }),
  addressDisabled(),
  invitationRequired(),
  invitationRefused(),
]

/** Throws the 403 for an address that may not join, whatever else is known about it. Returns the policy. */
export async function refuseAddress(db: Database, given: Settings, email: string): Promise<SignUpPolicy> {
  const policy = await signUpPolicy(db, given)
  if (!mayJoin(email, policy.rule)) throw addressRefused(policy.rule)
  return policy
}

export type Applicant = {
  email: string
  /** Set when a valid invitation for this address was found. */
  invitation?: Invitation | undefined
  /** The link carried an invitation, valid or not. */
  hasLink?: boolean
}

/** Throws the 403 for an applicant who may not have an account. Returns the policy. Invitations never widen the join rule. */
export async function refuseSignUp(
  db: Database,
  given: Settings,
  { email, invitation, hasLink = false }: Applicant,
): Promise<SignUpPolicy> {
  const policy = await refuseAddress(db, given, email)
  const disabled = await findDisabledSpellings(db, email)
  if (disabled.some(({ readmittedAt }) => readmittedAt === null)) throw addressDisabled()
  if (policy.mode !== 'invited' || invitation) return policy
  throw hasLink ? invitationRefused() : invitationRequired()
}

/**
 * The disabled accounts whose address differs from this one only in case, dots and a tag, and erased ones that had such an
 * address, in the order in which they are locked.
 */
export const findDisabledSpellings = (db: Database, email: string) =>
  db
    .select({ id: accounts.id, email: accounts.email, readmittedAt: accounts.readmittedAt })
    .from(accounts)
    .where(
      or(
        and(sql`plain_address(${accounts.email}) = plain_address(${email})`, isNotNull(accounts.disabledAt)),
        sql`${accounts.plainHash} in (select hash from keyed_hashes(array[plain_address(${email})]))`,
      ),
    )
    .orderBy(accounts.id)
