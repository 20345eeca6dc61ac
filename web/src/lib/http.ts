import type { Failure } from '#contract/errors.ts'
import { awaited, LOGOUT, mayCall } from './http/sign-out.ts'
import { fetchWithProgress } from './http/upload.ts'

/** The base path of the API. */
export const BASE = '/api'

/** Any response except a success. `status` is 0 without a response; `error` is the server's sentence. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly error: string | undefined
  readonly fields: Record<string, string>
  readonly code: Failure['code']
  readonly action: Failure['action']
  readonly current: unknown
  /** The record that has changed meanwhile, on the 409 of a call that changes two. */
  readonly recordId: string | undefined
  /** True for the 401 of a call that needs a session, which the listener of `onSessionEnd` reports. */
  readonly endsSession: boolean
  /** The time that the server asks the page to wait before the next attempt. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    failure: Partial<Failure> & { current?: unknown; id?: string; retryAfterSeconds?: number | undefined },
    endsSession = false,
  ) {
    super(failure.error ?? `Request failed (${status})`)
    this.status = status
    this.error = status === 500 ? withReference(failure) : failure.error
    this.fields = failure.fields ?? {}
    this.code = failure.code
    this.action = failure.action
    this.current = failure.current
    this.recordId = failure.id
    this.endsSession = endsSession
    this.retryAfterSeconds = failure.retryAfterSeconds
  }
}

/** Operators find a fault in the server's log by the id of the request. */
const withReference = ({ error, requestId }: Partial<Failure>) =>
  error && requestId ? `${error} (Reference ${requestId})` : error

/** The server's sentence, if any, else ours. */
export const sentenceOf = (error: unknown, otherwise: string) => (error instanceof ApiError && error.error) || otherwise

export type Call = {
  /** A `Blob` is sent as it is, anything else as JSON. */
  body?: unknown
  signal?: AbortSignal | undefined
  /** A repeated key does not create a second record. */
  key?: string
  /** The `X-Seen-Until` of the answer that showed what is marked as seen. */
  seenUntil?: string | null | undefined
  /**
   * A call that a signed-out person may make: its 401 is a result, not the end of a session. The server is asked to
   * answer without a 401 where it can, because browsers write each one to the console.
   */
  open?: boolean
  /** Called with the share of a `Blob` that has been sent, from 0 to 1. */
  onProgress?: (share: number) => void
}

let sessionEnded = (_path: string) => {}

/** Sets what to do after the 401 of a call that needs a session. The listener gets the path of that call. */
export const onSessionEnd = (listener: (path: string) => void) => {
  sessionEnded = listener
}

let pageAccount = ''
let otherAccountFound = () => {}

/** The public id of the account that this page belongs to; empty without one. No call acts for another account. */
export const setPageAccount = (account: string) => {
  pageAccount = account
}

/** Sets what to do when a call was refused because another account is signed in. */
export const onOtherAccount = (listener: () => void) => {
  otherAccountFound = listener
}

export const isOtherAccount = (failure: unknown) => failure instanceof ApiError && failure.code === 'other_account'

const forgeryToken = () => {
  const found = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  return found === undefined ? undefined : decodeURIComponent(found)
}

const ask = async (
  method: string,
  path: string,
  { body, signal, key, seenUntil, open = false, onProgress }: Call,
): Promise<Response> => {
  const headers = new Headers({ Accept: 'application/json' })
  if (open) headers.set('Prefer', 'handling=lenient')
  if (body instanceof Blob) headers.set('Content-Type', 'application/octet-stream')
  else if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (key !== undefined) headers.set('Idempotency-Key', key)
  if (seenUntil) headers.set('X-Seen-Until', seenUntil)
  if (pageAccount !== '' && !path.startsWith('/auth/')) headers.set('X-Account', pageAccount)
  const token = forgeryToken()
  if (method !== 'GET' && token !== undefined) headers.set('X-XSRF-TOKEN', token)
  try {
    if (body instanceof Blob && onProgress)
      return await fetchWithProgress(BASE + path, { method, headers, body, signal }, onProgress)
    return await fetch(BASE + path, {
      method,
      headers,
      credentials: 'same-origin',
      body: body instanceof Blob ? body : body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError(0, {})
  }
}

const failureOf = async (answer: Response): Promise<Partial<Failure>> => {
  const body: unknown = await answer.json().catch(() => null)
  return typeof body === 'object' && body !== null ? body : {}
}

const send = async (method: string, path: string, call: Call = {}): Promise<Response> => {
  if (call.open || path === LOGOUT) return sendNow(method, path, call)
  const sendIfSignedIn = async () => {
    if (!(await mayCall())) throw new ApiError(401, {}, true)
    return sendNow(method, path, call)
  }
  return awaited(sendIfSignedIn())
}

const sendNow = async (method: string, path: string, call: Call): Promise<Response> => {
  let answer = await ask(method, path, call)
  if (answer.ok) return answer
  let failure = await failureOf(answer)
  if (answer.status === 403 && failure.code === 'forgery') {
    await ask('GET', '/auth/me', { open: true })
    answer = await ask(method, path, call)
    if (answer.ok) return answer
    failure = await failureOf(answer)
  }
  const endsSession = answer.status === 401 && !call.open
  if (endsSession) sessionEnded(path)
  if (failure.code === 'other_account') otherAccountFound()
  throw new ApiError(answer.status, { ...failure, retryAfterSeconds: secondsToWait(answer) }, endsSession)
}

const secondsToWait = (answer: Response) => Number(answer.headers.get('Retry-After')) || undefined

/** A response that breaks off counts as none, and so does the page that a network shows before it lets anyone in. */
const read = async <Answer>(answer: Response, signal?: AbortSignal): Promise<Answer> => {
  if (answer.status === 204) return undefined as Answer
  return answer.json().catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ApiError(0, {})
  })
}

export const get = async <Answer>(path: string, call?: Call) =>
  read<Answer>(await send('GET', path, call), call?.signal)

export const post = async <Answer>(path: string, body?: unknown, call?: Call) =>
  read<Answer>(await send('POST', path, { ...call, body }), call?.signal)

export const put = async <Answer>(path: string, body: unknown) => read<Answer>(await send('PUT', path, { body }))

export const patch = async <Answer>(path: string, body: unknown) => read<Answer>(await send('PATCH', path, { body }))

export const del = async <Answer = void>(path: string, body?: unknown) =>
  read<Answer>(await send('DELETE', path, { body }))

/** A file, under the name that the server gives it. */
export const getFile = async (path: string): Promise<File> => {
  const answer = await send('GET', path)
  const name = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? 'export'
  return new File([await answer.blob()], name)
}

/** A response, and until when what it shows is seen. */
export const getSeen = async <Answer>(path: string, call?: Call) => {
  const answer = await send('GET', path, call)
  return { answer: await read<Answer>(answer, call?.signal), seenUntil: answer.headers.get('X-Seen-Until') }
}

/** A paged response, and the path of its next page. */
export const getLinked = async <Answer>(
  path: string,
  call?: Call,
): Promise<{ answer: Answer; next: string | null }> => {
  const answer = await send('GET', path, call)
  return { answer: await read<Answer>(answer, call?.signal), next: nextPath(answer.headers.get('Link')) }
}

/** One page of a list: its rows, the path of the next page, the total number of rows (`1000+` at most), and until when it counts news. */
export type Page<Row> = { rows: Row[]; next: string | null; total: string | null; seenUntil?: string | null }

export const getPage = async <Row>(path: string, call?: Call): Promise<Page<Row>> => {
  const answer = await send('GET', path, call)
  return {
    rows: await read<Row[]>(answer, call?.signal),
    next: nextPath(answer.headers.get('Link')),
    total: answer.headers.get('X-Total-Count'),
    seenUntil: answer.headers.get('X-Seen-Until'),
  }
}

/** The `rel="next"` address of a `Link` header, as a path under the API's base. */
const nextPath = (link: string | null) => {
  const target = link && /<([^>]*)>[^,]*;\s*rel="?next"?/i.exec(link)?.[1]
  if (!target) return null
  const { pathname, search } = new URL(target, location.origin)
  return pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) + search : null
}

const REACHES_MS = 4000

/** Whether the server responds at all, whatever it says. */
export const isReachable = () =>
  get('/auth/me', { open: true, signal: AbortSignal.timeout(REACHES_MS) }).then(
    () => true,
    (failure) => failure instanceof ApiError && failure.status !== 0,
  )
