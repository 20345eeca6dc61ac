import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setSignedIn } from '#web/lib/http/sign-out.ts'
import { shareStream } from './shared-stream.ts'

/** As the browser's, without a network. */
class Stream {
  static readonly CLOSED = 2
  static opened: Stream[] = []
  readyState = 0
  onerror = () => {}
  constructor() {
    Stream.opened.push(this)
  }
  close() {
    this.readyState = Stream.CLOSED
  }
}

let ending: AbortController
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Stream)
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('window', new EventTarget())
  Stream.opened = []
  ending = new AbortController()
  shareStream({ account: 'a', onEvent: () => {}, mayRetry: async () => true }, ending.signal)
})
afterEach(() => {
  ending.abort()
  setSignedIn(true)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it.each([
  { is: true, opens: 'again', times: 2 },
  { is: false, opens: 'no more after a sign-out', times: 1 },
])('A stream that was cut off is opened $opens', async ({ is, times }) => {
  setSignedIn(is)
  Stream.opened[0]?.onerror()
  await vi.advanceTimersByTimeAsync(2000)
  expect(Stream.opened).toHaveLength(times)
})
