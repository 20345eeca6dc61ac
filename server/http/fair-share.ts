import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { App } from './app.ts'
import { clientGone, tooManyRequests } from './errors.ts'
import { addRefusals } from './head.ts'

// A process works on a few calls of each account at a time, so that no account makes the others wait. A call that reads
// or writes many rows takes several places, at most all.

const EXPORTS_AT_ONCE = 2
const WAITING_MAX = 100
const ROWS_OF_PLACE = 100
/** Of those of its owner. All tokens of an account share them. */
const PLACES_OF_TOKENS = 2

type Call = { account: string; isExport: boolean; isOfToken: boolean; places: number }
type Waiting = Omit<Call, 'account'> & { begin: () => void }
/** `running` and `ofTokens` count places, not calls. */
type Share = { running: number; ofTokens: number; exports: number; waiting: Waiting[] }
type FairShares = ReturnType<typeof createFairShares>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Sends a file of any length. */
    isExport?: true
  }
  interface FastifyRequest {
    /** Waits for something that costs others nothing. Until then the call does not count. */
    outsideShare: <Result>(wait: () => Promise<Result>) => Promise<Result>
  }
}

const oneRow = () => 1

/** Limits the calls of each account in this scope to `atOnce`, except live streams. */
export function shareFairly(
  app: App,
  {
    atOnce,
    callerOf,
  }: { atOnce: number; callerOf: (request: FastifyRequest) => { id: string; token?: object | undefined } },
): void {
  const shares = createFairShares(atOnce)
  const refusal = tooManyRequests(1)
  app.decorateRequest('outsideShare')
  app.addHook('onRoute', (route) => {
    const { isStream, isExport = false, rows = oneRow } = route.config ?? {}
    if (isStream) return
    addRefusals(route, refusal)
    const callOf = (request: FastifyRequest) => {
      const { id, token } = callerOf(request)
      const isOfToken = token !== undefined
      const most = isOfToken ? Math.min(atOnce, PLACES_OF_TOKENS) : atOnce
      const places = Math.min(most, Math.max(1, Math.ceil(rows(request) / ROWS_OF_PLACE)))
      return { account: id, isExport, isOfToken, places }
    }
    route.handler = withShare(shares, callOf, route.handler)
  })
}

const withShare = (
  shares: FairShares,
  callOf: (request: FastifyRequest) => Call,
  handler: RouteHandlerMethod,
): RouteHandlerMethod =>
  async function (request, reply) {
    const call = callOf(request)
    let isCounted = false
    let isOver = false
    const count = () => {
      if (isCounted || isOver) return
      isCounted = true
      shares.add(call)
    }
    const uncount = () => {
      if (isCounted) shares.remove(call)
      isCounted = false
    }
    request.outsideShare = async (wait) => {
      uncount()
      // Its turn has come before, so it does not wait for another.
      return wait().finally(count)
    }
    if (isArriving(request)) {
      request.raw.once('end', count)
    } else {
      await shares.enter(call, reply.raw)
      isCounted = true
    }
    try {
      return await handler.call(this, request, reply)
    } finally {
      // A response is compressed and sent after its handler. A handler continues after its client has gone.
      onceOver(reply.raw, () => {
        isOver = true
        uncount()
      })
    }
  }

/** Only a handler that reads its body itself begins before the whole body is there. */
const isArriving = ({ body, raw }: FastifyRequest) => body instanceof Readable && !raw.complete

function onceOver(response: ServerResponse, then: () => void): void {
  if (response.writableFinished || response.destroyed) {
    then()
    return
  }
  response.once('finish', then)
  response.once('close', then)
}

function createFairShares(atOnce: number) {
  const shares = new Map<string, Share>()

  const hasRoom = ({ running }: Share, { places }: Pick<Call, 'places'>) => running + places <= atOnce
  /** An export that has to wait for another one, or a call of a token, does not stop those behind it. */
  const isHeldBack = ({ exports, ofTokens }: Share, { isExport, isOfToken, places }: Omit<Call, 'account'>) =>
    (isExport && exports >= EXPORTS_AT_ONCE) || (isOfToken && ofTokens + places > PLACES_OF_TOKENS)

  function shareOf(account: string): Share {
    const share = shares.get(account) ?? { running: 0, ofTokens: 0, exports: 0, waiting: [] }
    shares.set(account, share)
    return share
  }

  function add({ account, isExport, isOfToken, places }: Call): void {
    const share = shareOf(account)
    share.running += places
    if (isOfToken) share.ofTokens += places
    if (isExport) share.exports += 1
  }

  function remove(call: Call): void {
    const share = shareOf(call.account)
    share.running -= call.places
    if (call.isOfToken) share.ofTokens -= call.places
    if (call.isExport) share.exports -= 1
    beginNext(call.account, share)
  }

  /** A call that waits for several places stops those behind it, so that they do not take them forever. */
  function beginNext(account: string, share: Share): void {
    for (;;) {
      const next = share.waiting.findIndex((one) => !isHeldBack(share, one))
      const one = share.waiting[next]
      if (one === undefined || !hasRoom(share, one)) break
      share.waiting.splice(next, 1)
      one.begin()
    }
    if (share.running === 0 && share.waiting.length === 0) shares.delete(account)
  }

  /** Waits for the turn of a call. Throws the 429 beyond the queue, and when the client has gone. */
  async function enter(call: Call, response: ServerResponse): Promise<void> {
    if (response.destroyed) throw clientGone()
    const share = shareOf(call.account)
    const isNext = share.waiting.every((one) => isHeldBack(share, one))
    if (isNext && hasRoom(share, call) && !isHeldBack(share, call)) return add(call)
    // Tokens do not take the places of their owner in the queue.
    const alike = share.waiting.filter(({ isOfToken }) => isOfToken === call.isOfToken)
    if (alike.length >= WAITING_MAX) throw tooManyRequests(1)
    await new Promise<void>((resolve, reject) => {
      const place = {
        ...{ isExport: call.isExport, isOfToken: call.isOfToken, places: call.places },
        begin: () => {
          response.off('close', leave)
          add(call)
          resolve()
        },
      }
      const leave = () => {
        share.waiting.splice(share.waiting.indexOf(place), 1)
        // It may have stopped those behind it.
        beginNext(call.account, share)
        reject(clientGone())
      }
      response.once('close', leave)
      share.waiting.push(place)
    })
  }

  return { add, remove, enter }
}
