import { z } from 'zod'
import { code, email, password, personName, Role } from './auth.ts'
import { SEARCH_MAX } from './limits.ts'
import { listQueryParts } from './record.ts'
import { optionalText } from './text.ts'

// What managers see and do.

/** The signed-in person proves again who they are: by the password, or by a code of the authenticator app. */
export const ConfirmInput = z
  .object({ password: password.optional(), code: code.optional() })
  .refine((given) => given.password !== undefined || given.code !== undefined, {
    error: 'Password is required',
    path: ['password'],
  })

export const INVITATIONS_MAX = 100
/** Of one manager. */
export const INVITATIONS_A_DAY = 300

export const InvitationsInput = z.object({
  emails: z
    .array(z.string().max(320, 'An address is too long'), { error: 'Emails must be a list of addresses' })
    .max(INVITATIONS_MAX, `At most ${INVITATIONS_MAX} addresses at a time`)
    .optional()
    .describe('Absent or empty: one invitation for any address that may join'),
})

/** What became of one address: a link where nothing was mailed, or the reason of a refusal. */
export const InvitationOutcome = z.object({
  id: z.uuid().optional(),
  email: z.string().optional(),
  link: z.string().optional(),
  error: z.string().optional(),
  expiresAt: z.iso.datetime().optional(),
})
export type InvitationOutcome = z.infer<typeof InvitationOutcome>

export const OpenInvitation = z.object({
  id: z.uuid(),
  email: z.string().nullable().describe('Null: for any address that may join'),
  by: z.string().nullable().describe('Null: the operator'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type OpenInvitation = z.infer<typeof OpenInvitation>

export const personActs = [
  'approve',
  'disable',
  'enable',
  'end-sessions',
  'end-tokens',
  'reset-password',
  'reset-two-factor',
  'make-manager',
  'demote',
  'erase',
] as const
export type PersonAct = (typeof personActs)[number]

export const Person = z.object({
  id: z.uuid().describe('Public id of the account'),
  name: z.string(),
  email: z.string(),
  role: Role,
  state: z.enum(['active', 'pending', 'disabled', 'left', 'erased']),
  isVerified: z.boolean(),
  hasTwoFactor: z.boolean(),
  waysIn: z.array(z.string()).describe('`password`, `google`, `microsoft`, `oidc`'),
  sessions: z.int(),
  tokens: z.int().describe('Access tokens that have not ended'),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable(),
  can: z.array(z.enum(personActs)).describe('What the caller may do with this account'),
  canChange: z.array(z.enum(['name', 'email'])).describe('What the caller may change of it'),
})
export type Person = z.infer<typeof Person>

export const PersonChange = z
  .object({ name: personName.optional(), email: email.optional() })
  .refine((given) => given.name !== undefined || given.email !== undefined, {
    error: 'Name is required',
    path: ['name'],
  })
export type PersonChange = z.infer<typeof PersonChange>

export const PeopleQuery = z.object({
  search: optionalText('Search', SEARCH_MAX).optional().meta({ description: 'Part of the name or the address' }),
  limit: listQueryParts.limit,
  cursor: listQueryParts.cursor,
})

export const LEAVING_MAX = 100

const personId = z.uuid({ error: 'There is no such person' })

export const LeaveInput = z.object({
  ids: z
    .array(personId, { error: 'Ids must be a list of people' })
    .min(1, 'Choose at least one person')
    .max(LEAVING_MAX, `At most ${LEAVING_MAX} people at a time`),
  responsible: z
    .uuid({ error: 'Responsible must be the id of a fellow' })
    .nullable()
    .optional()
    .describe(
      'Who takes over the records for which they are responsible, and those they added for which no one is. Null: no one',
    ),
})
export type LeaveInput = z.infer<typeof LeaveInput>

export const LeavingQuery = z.object({
  ids: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((id) => id !== ''))
    .pipe(z.array(personId).max(LEAVING_MAX, `At most ${LEAVING_MAX} people at a time`))
    .meta({ type: 'string', description: 'The people, separated by commas' }),
})

/** What a person has here. */
export const Leaver = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  created: z.int().describe('Records that they added'),
  found: z.int().describe('Records of others that they found too'),
  notes: z.int().describe('Notes that they wrote'),
  responsible: z.int().describe('Records for which they are responsible'),
  unassigned: z.int().describe('Records that they added, and for which no one is responsible'),
})
export type Leaver = z.infer<typeof Leaver>

export const PersonParams = z.object({ id: z.uuid({ error: 'There is no such person' }) })
export const InvitationParams = z.object({ id: z.uuid({ error: 'There is no such invitation' }) })

export const PasswordReset = z.union([
  z.object({ isMailed: z.literal(true) }),
  z.object({ link: z.string(), expiresAt: z.iso.datetime() }),
])

export const AllowInput = z.object({ email })

/** A domain of ASCII letters. */
export const DOMAIN =
  /^(?=.{1,253}$)(?!xn--)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.(?!xn--)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/

export const DOMAINS_MAX = 100

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(DOMAIN, 'Enter domains such as mit.edu')
  .endsWith('.edu', 'Enter domains that end in .edu')

export const signUpModes = ['open', 'approval', 'invited'] as const

export const SignUpInput = z.object({
  mode: z.enum(signUpModes, { error: 'Mode must be open, approval or invited' }),
  domains: z
    .array(domain, { error: 'Domains must be a list' })
    .max(DOMAINS_MAX, `At most ${DOMAINS_MAX} domains`)
    .describe('With their subdomains; empty: any .edu address may join'),
})
export type SignUpInput = z.infer<typeof SignUpInput>

export const SignUpAnswer = SignUpInput.extend({
  fixed: z
    .array(z.enum(['mode', 'domains']))
    .describe('What the environment of the server sets. It cannot be changed here'),
})
export type SignUpAnswer = z.infer<typeof SignUpAnswer>
