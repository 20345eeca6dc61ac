import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { App } from '../services.ts'
import { clientGone, tooManyRequests } from './errors.ts'
import { addRefusals } from './head.ts'

// A process works on a few calls of each account at a time, so that no account makes the others wait.

const EXPORTS_AT_ONCE = 2
const WAITING_MAX = 100

type Call = { account: string; isExport: boolean }
type Share = { running: number; exports: number; waiting: { isExport: boolean; begin: () => void }[] }
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

/** Limits the calls of each account in this scope to `atOnce`, except live streams. */
export function shareFairly(
  app: App,
  { atOnce, accountOf }: { atOnce: number; accountOf: (request: FastifyRequest) => string },
): void {
  const shares = createFairShares(atOnce)
  app.decorateRequest('outsideShare')
  app.addHook('onRoute', (route) => {
    const { isStream, isExport = false } = route.config ?? {}
    if (isStream) return
    addRefusals(route, tooManyRequests(1))
    const callOf = (request: FastifyRequest) => ({ account: accountOf(request), isExport })
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

  const mayBegin = ({ running, exports }: Share, { isExport }: { isExport: boolean }) =>
    running < atOnce && (!isExport || exports < EXPORTS_AT_ONCE)

  function shareOf(account: string): Share {
    const share = shares.get(account) ?? { running: 0, exports: 0, waiting: [] }
    shares.set(account, share)
    return share
  }

  function add({ account, isExport }: Call): void {
    const share = shareOf(account)
    share.running += 1
    if (isExport) share.exports += 1
  }

  function remove({ account, isExport }: Call): void {
    const share = shareOf(account)
    share.running -= 1
    if (isExport) share.exports -= 1
    // An export that has to wait for another one does not stop those behind it.
    const next = share.waiting.findIndex((one) => mayBegin(share, one))
    if (next >= 0) share.waiting.splice(next, 1)[0]?.begin()
    if (share.running === 0 && share.waiting.length === 0) shares.delete(account)
  }

  /** Waits for the turn of a call. Throws the 429 beyond the queue, and when the client has gone. */
  async function enter(call: Call, response: ServerResponse): Promise<void> {
    if (response.destroyed) throw clientGone()
    const share = shareOf(call.account)
    if (mayBegin(share, call)) return add(call)
    if (share.waiting.length >= WAITING_MAX) throw tooManyRequests(1)
    await new Promise<void>((resolve, reject) => {
      const place = {
        isExport: call.isExport,
        begin: () => {
          response.off('close', leave)
          add(call)
          resolve()
        },
      }
      const leave = () => {
        share.waiting.splice(share.waiting.indexOf(place), 1)
        reject(clientGone())
      }
      response.once('close', leave)
      share.waiting.push(place)
    })
  }

  return { add, remove, enter }
}
