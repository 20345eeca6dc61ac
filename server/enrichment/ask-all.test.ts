import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { askAll, type Lookup } from './ask-all.ts'
import type { Outcome } from './provider.ts'

type Findings = { title?: string; company?: string; bio?: string }

/** A provider with a fixed result, which records each call. */
function provider(id: string, outcome: Outcome<Findings>, { isKeyless = false, afterMs = 0 } = {}) {
  const asked: number[] = []
  const ask = async () => {
    asked.push(Date.now())
    await pause(afterMs)
    return outcome
  }
  return { id, isKeyless, ask, asked } satisfies Lookup<Findings> & { asked: number[] }
}

const found = (findings: Findings): Outcome<Findings> => ({ kind: 'found', findings })
const failed: Outcome<Findings> = { kind: 'failed', reason: 'unavailable', isRetryable: true }
const open = ['title', 'company', 'bio']
const run = (providers: Lookup<Findings>[], fields = open) =>
  askAll(providers, { open: fields, signal: new AbortController().signal })

describe('Asking all providers', () => {
  it('takes the value of the first in order that has one', async () => {
    const answers = await run([
      provider('a', found({ title: 'CEO' })),
      provider('b', found({ title: 'Founder', bio: 'Builds.' })),
    ])
    expect(answers.found).toEqual({
      title: { value: 'CEO', provider: 'a' },
      bio: { value: 'Builds.', provider: 'b' },
    })
    expect(answers.open).toEqual(['company'])
  })

  it('calls no provider once no field is open', async () => {
    const last = provider('b', found({}))
    await run([provider('a', found({ title: 'CEO', company: 'Acme', bio: 'Builds.' })), last])
    expect(last.asked).toEqual([])
  })

  it('ignores fields that were not requested', async () => {
    const { found: kept } = await run([provider('a', found({ title: 'CEO', bio: 'Builds.' }))], ['bio'])
    expect(Object.keys(kept)).toEqual(['bio'])
  })

  it('continues after a provider that fails or finds nothing, and reports the failed one', async () => {
    const answers = await run([
      provider('a', failed),
      provider('b', { kind: 'not-found' }),
      provider('c', found({ title: 'CEO' })),
    ])
    expect(answers.found.title).toEqual({ value: 'CEO', provider: 'c' })
    expect(answers.failures).toMatchObject([{ provider: 'a', reason: 'unavailable' }])
  })

  it('calls licensed providers one after the other, because each call may cost a credit', async () => {
    const [first, second] = [provider('a', failed, { afterMs: 60 }), provider('b', failed)]
    await run([first, second])
    expect((second.asked[0] as number) - (first.asked[0] as number)).toBeGreaterThanOrEqual(55)
  })

  it('calls keyless providers in parallel, and still prefers the first in order', async () => {
    const slow = provider('a', found({ title: 'CEO' }), { isKeyless: true, afterMs: 60 })
    const quick = provider('b', found({ title: 'Founder' }), { isKeyless: true })
    const answers = await run([slow, quick])
    expect((quick.asked[0] as number) - (slow.asked[0] as number)).toBeLessThan(50)
    expect(answers.found.title).toEqual({ value: 'CEO', provider: 'a' })
  })

  it('calls no further provider when the run is aborted', async () => {
    const stop = new AbortController()
    stop.abort()
    const one = provider('a', found({ title: 'CEO' }))
    await askAll([one], { open, signal: stop.signal })
    expect(one.asked).toEqual([])
  })
})
