import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type SsoError, whoMayJoin } from '#contract/auth.ts'
import { type Failure, REQUEST_ID_HEADER } from '#contract/errors.ts'
import { sqlState } from '#server/sql-state.ts'
import { isConnectionError } from '../db/database.ts'

/** A refusal with its status and its response. Thrown anywhere, answered in one place below. */
export class AppError extends Error {
  readonly status: number
  readonly answer: Failure & Record<string, unknown>
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    error: string,
    more: Omit<Failure, 'error'> & Record<string, unknown> = {},
    retryAfterSeconds?: number,
  ) {
    super(error)
    this.status = status
    this.answer = { error, ...more }
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export const invalid = (fields: Record<string, string>) =>
  new AppError(400, Object.values(fields)[0] ?? 'The request is incomplete', { fields })

export const notSignedIn = () => new AppError(401, 'Not authenticated')

export const invalidCredentials = () => new AppError(401, 'The email address or the password is wrong')

export const accountDisabled = () => new AppError(403, 'This account is disabled. Ask an administrator.')

/** The password was right, but the address is not verified yet. */
export const verifyFirst = (isMailed: boolean) =>
  new AppError(
    403,
    isMailed
      ? 'Confirm your email address first. We have sent you a link.'
      : 'Confirm your email address first. We could not send the email. Request it again in a few minutes.',
    { action: 'verify_email' },
  )

export const linkRefused = () => new AppError(400, 'This link has been used or has expired. Ask for a new one.')

/** The link is valid, but was opened in another browser than the one that signed up. It stays valid. */
export const choosePassword = () =>
  new AppError(409, 'You did not sign up in this browser. Choose a new password to confirm this address.', {
    code: 'choose_password',
  })

export const noMail = () => new AppError(403, 'Email is not set up. Ask an administrator to reset your password.')

export const noMailForAddress = () => new AppError(403, 'Email is not set up. Ask a manager to change your address.')

/** The link is valid, but for another account than the signed-in one. It stays valid. */
export const linkOfOther = () =>
  new AppError(403, 'This link is for another account. Sign in to the account that asked for it, then open it again.')

export const wrongCode = () => new AppError(401, 'This code is wrong or has already been used')

export const twoFactorRequired = (state: 'on' | 'off') => new AppError(409, `Two-factor sign-in is already ${state}`)

export const signInExpired = () => new AppError(401, 'This sign-in has expired. Enter your password again.')

export const csrfFailed = () =>
  new AppError(403, 'This page is out of date. Reload it and try again.', { code: 'forgery' })

/** A page that was opened by another account than the one that is signed in now. Nothing is done. */
export const otherAccount = ({ email }: { email: string }) =>
  new AppError(409, `This browser is signed in as ${email} now. Nothing was done for this page.`, {
    code: 'other_account',
  })

/** The cursor of a feed that has begun again, or whose next entries are too old. */
export const startOver = () =>
  new AppError(410, 'This feed has begun again. Read it without a cursor, and every record that you keep.', {
    code: 'start_over',
  })

export const forbidden = (sentence: string) => new AppError(403, sentence)

/** The act needs a person who has proven lately who they are. */
export const confirmFirst = () => new AppError(403, 'Confirm that it is you, then try again', { code: 'confirm' })

export const mailFailed = () => new AppError(503, 'The mail could not be sent. Try again in a few minutes.')

export const lastManager = () => new AppError(409, 'This is the last manager. Make another person a manager first.')

/** Resets and the address of managers are the operator's, so that no manager takes the account of another. */
export const operatorOnly = () => forbidden('This is or was the account of a manager. Ask the operator.')

/** The 403 of a sign-up. After single sign-on, the browser gets the reason as a code in the URL. */
export class SignUpRefused extends AppError {
  readonly reason: SsoError

  constructor(reason: SsoError, error: string) {
    super(403, error)
    this.reason = reason
  }
}

export const addressRefused = (rule: Parameters<typeof whoMayJoin>[0]) =>
  new SignUpRefused('not_allowed', `Use ${whoMayJoin(rule)} to join`)

export const addressDisabled = () =>
  new SignUpRefused(
    'address_disabled',
    'An account with another spelling of this address is disabled. Ask an administrator.',
  )

export const invitationRequired = () =>
  new SignUpRefused('invitation_required', 'Signing up is by invitation only. Ask your programme for an invitation.')

export const invitationRefused = () =>
  new SignUpRefused(
    'invitation_required',
    'This invitation has been used, has expired or is for another address. Ask your programme for a new one.',
  )

/** The password was right, but the account waits for a manager or the operator. */
export const approvalPending = () =>
  new AppError(403, 'Your account is waiting for approval. You can sign in once it is approved.', {
    code: 'approval_pending',
  })

export const notFound = (sentence: string) => new AppError(404, sentence)

export const signupRequired = () => new AppError(404, 'Please create an account first', { action: 'signup_required' })

export const addressTaken = () => new AppError(409, 'An account with this email address already exists')

export const changedMeanwhile = (current: unknown) =>
  new AppError(409, 'Someone else changed this record while you were editing', { current })

/** A request for a record that was merged into another one. Reads are redirected there, writes are refused. */
export class MergedAway extends AppError {
  readonly id: string
  readonly survivorId: string

  constructor(id: string, survivorId: string) {
    super(409, 'This record was merged into another one', { code: 'merged', mergedInto: survivorId })
    this.id = id
    this.survivorId = survivorId
  }
}

/** The 409 for a creator who wants to delete a record of several first finders. `merges` are in the order of undoing. */
export const mergedIn = (merges: unknown) =>
  new AppError(409, 'Records of other fellows were merged into this one. Undo these merges first.', {
    code: 'merged_in',
    merges,
  })

/** An address of a person who was erased and is not to be kept. */
export const doNotKeep = () => new AppError(409, DO_NOT_KEEP, { code: 'do_not_keep' })

export const DO_NOT_KEEP = 'The person with this LinkedIn profile or email address asked not to be kept.'

export const isDoNotKeep = (error: unknown): boolean => error instanceof AppError && error.answer.code === 'do_not_keep'

export const keyUsedOtherwise = () =>
  new AppError(422, 'This was already saved with different content. Find it in the list.')

export const tooManyAttempts = (seconds: number) =>
  new AppError(429, `Too many attempts. Try again in ${inWords(seconds)}.`, {}, seconds)

/** The account has too many calls at a time. */
export const tooManyRequests = (seconds: number) =>
  new AppError(429, 'You have too many requests open. Try again in a moment.', {}, seconds)

export const tooManyChanges = (most: number, seconds: number) =>
  new AppError(
    429,
    `You can change ${most.toLocaleString('en')} records of others in 24 hours. Try again in ${inWords(seconds)}.`,
    {},
    seconds,
  )

export const tooManyNamed = (most: number, seconds: number) =>
  new AppError(
    429,
    `You can mention or ask ${most} fellows in 24 hours. Try again in ${inWords(seconds)}.`,
    {},
    seconds,
  )

export const unknownHost = () =>
  new AppError(
    400,
    'Sourcebook does not know this address. If it is right, the operator sets PUBLIC_URL to it, or names its host in ALLOWED_HOSTS.',
  )

/** What Fastify refuses of any body before a route is reached. */
export const bodyRefusals = () => [
  new AppError(413, refusedByFastify.FST_ERR_CTP_BODY_TOO_LARGE),
  new AppError(415, refusedByFastify.FST_ERR_CTP_INVALID_MEDIA_TYPE),
]

/** No one reads this. The status is the one that proxies log. */
export const clientGone = () => new AppError(499, 'The connection was closed')

export const busy = (seconds: number) => new AppError(503, 'Sourcebook is busy. Try again in a moment.', {}, seconds)

const inWords = (seconds: number) => {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  if (seconds <= 90 * 60) return `${Math.ceil(seconds / 60)} minutes`
  return `${Math.ceil(seconds / 3600)} hours`
}

/** Sentences for what Fastify itself refuses before a route is reached. */
const refusedByFastify = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'This request is too large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send JSON, with the content type application/json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body does not match its Content-Length',
  FST_ERR_BAD_URL: 'This URL is malformed',
}
const isRefusedByFastify = (code: string | undefined): code is keyof typeof refusedByFastify =>
  code !== undefined && Object.hasOwn(refusedByFastify, code)

/** The disk is full, or the database is read-only because of that. */
const isFull = (error: unknown) => /^(53100|25006)$/.test(sqlState(error) ?? '')

/** States in which PostgreSQL is temporarily unreachable or busy. */
const isUnavailable = (error: unknown) => {
  const state = sqlState(error)
  if (state !== undefined) return /^(08|53|57P|57014|58030|55P03|40001|40P01|25P03)/.test(state)
  return isConnectionError(error)
}

const FULL = 'Nothing can be saved right now: the disk of the server is full. Ask an administrator to free up space.'

const FAULT = 'Something went wrong on our side. Try again in a moment.'

/** Whether the same work may succeed later: the database or its disk is in trouble, or others were in the way. */
export const isPassing = (error: unknown): boolean => isUnavailable(error) || isFull(error)

/** The refusal for any error; undefined for a bug of ours. */
function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (hasZodFastifySchemaValidationErrors(error)) return refusalOfShape(error)
  const { code, statusCode } = error as Partial<FastifyError>
  if (isRefusedByFastify(code)) return new AppError(statusCode ?? 400, refusedByFastify[code])
  if (isFull(error)) return new AppError(503, FULL, {}, 30)
  if (isUnavailable(error)) return new AppError(503, 'The database is not responding. Try again in a moment.', {}, 5)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError(statusCode, 'The request is not valid')
  }
  return undefined
}

const noParameter = (name: string) => `There is no parameter ${JSON.stringify(name.slice(0, 50))}`

export const unknownParameter = (name: string) => invalid({ [name]: noParameter(name) })

type ShapeIssue = { instancePath: string; message?: string; params: { keys?: string[] } }
type ShapeError = { validationContext?: string; validation: ShapeIssue[] }

/** Invalid path parameters are a 404. Anything else gets a sentence per field, of which the first is the error. */
function refusalOfShape({ validation, validationContext }: ShapeError): AppError {
  if (validationContext === 'params') return notFound(validation[0]?.message ?? 'There is nothing here')
  const fields: Record<string, string> = {}
  for (const { instancePath, message, params } of validation) {
    const field = instancePath.split('/')[1]
    if (!field && validationContext === 'querystring') {
      for (const key of params.keys ?? []) fields[key] = noParameter(key)
      continue
    }
    if (!field) return new AppError(400, 'Send a JSON object')
    fields[field] ??= message ?? 'This is not valid'
  }
  return invalid(fields)
}

/** Fastify's error handler: every failure leaves as `{ error, … }` with a sentence for a person. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error)
  // Some failures happen before any hook.
  reply.header(REQUEST_ID_HEADER, request.id)
  if (refusal === undefined) {
    request.log.error({ err: error }, 'A request failed')
    return reply.code(500).send({ error: FAULT, requestId: request.id })
  }
  if (refusal instanceof MergedAway && ['GET', 'HEAD'].includes(request.method)) {
    return reply.redirect(request.url.replace(refusal.id, refusal.survivorId), 308)
  }
  if (refusal.status === 503) request.log.warn({ err: error }, 'A request could not be served')
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
  return reply.code(refusal.status).send({ ...refusal.answer, ...(refusal.status >= 500 && { requestId: request.id }) })
}
