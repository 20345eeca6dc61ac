import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { caller } from '#server/test/http-caller.ts'
import { REST_MS } from '../sizes.ts'

type Call = ReturnType<typeof caller>['call']
type Server = { url: string }
type Refusal = { status: number; error: string; tookMs: number }

/** Adds a founder, and returns its id. */
export async function newFounder(call: Call, server: Server, name: string): Promise<string> {
  const answer = await call(server, 'POST', '/founders', { name, linkedIn: 'https://linkedin.com/in/x', notes: 'n' })
  const body = (await answer.json()) as { id: string }
  if (answer.status !== 201) throw new Error(`Adding a founder answered ${answer.status}: ${JSON.stringify(body)}`)
  return body.id
}

/**
 * Writes notes on a founder from several callers at the same time, until it is stopped. With `repeats` each repeats a
 * note under its idempotency key until it is acknowledged, as the page does.
 */
export function startWriting(call: Call, server: Server, founder: string, { hands = 8, repeats = false } = {}) {
  const acknowledged: string[] = []
  const refused: Refusal[] = []
  let unanswered = 0
  let slowestMs = 0
  let isOver = false

  /** Sends a note once. Returns whether it was acknowledged. */
  async function send(content: string, key: string): Promise<boolean> {
    const began = Date.now()
    try {
      const more: Record<string, string> = repeats ? { 'idempotency-key': key } : {}
      const answer = await call(server, 'POST', `/notes/founder/${founder}`, { content }, more)
      const { error } = (await answer.json()) as { error: string }
      const tookMs = Date.now() - began
      slowestMs = Math.max(slowestMs, tookMs)
      const isSaved = answer.status === 201
      if (isSaved) acknowledged.push(content)
      else refused.push({ status: answer.status, error, tookMs })
      await pause(isSaved ? REST_MS : 50)
      return isSaved
    } catch {
      unanswered += 1
      await pause(50)
      return false
    }
  }

  async function write(hand: number) {
    for (let number = 1; !isOver; number += 1) {
      const key = randomUUID()
      while (!(await send(`note ${hand}.${number}`, key)) && repeats);
    }
  }

  const writing = Promise.all(Array.from({ length: hands }, (_, hand) => write(hand)))
  return {
    acknowledged,
    refused,
    unanswered: () => unanswered,
    /** The longest wait for an answer, whatever it was. */
    slowestMs: () => slowestMs,
    async stop(): Promise<void> {
      isOver = true
      await writing
    },
  }
}

/** The texts of all notes on a founder. */
export async function notesOn(call: Call, server: Server, founder: string): Promise<string[]> {
  const texts: string[] = []
  for (let path: string | undefined = `/notes/founder/${founder}?limit=500`; path; ) {
    const answer = await call(server, 'GET', path)
    if (answer.status !== 200) throw new Error(`Reading notes answered ${answer.status}`)
    const { notes } = (await answer.json()) as { notes: { content: string }[] }
    texts.push(...notes.map(({ content }) => content))
    path = /^<\/api(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return texts
}

/** Acknowledged notes that are missing, and notes that exist twice. */
export function faultsIn(found: string[], acknowledged: string[]): { lost: string[]; twice: string[] } {
  const there = new Set(found)
  return {
    lost: acknowledged.filter((content) => !there.has(content)),
    twice: found.filter((content, index) => found.indexOf(content) !== index),
  }
}
