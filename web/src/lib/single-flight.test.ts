import { describe, expect, it, vi } from 'vitest'
import { singleFlight } from './single-flight.ts'

describe('A single flight', () => {
  it('loads once, and gives every caller the same promise', async () => {
    const load = vi.fn(async () => 'loaded')
    const loadOnce = singleFlight(load)
    expect(loadOnce()).toBe(loadOnce())
    expect(await loadOnce()).toBe('loaded')
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('tries again after a failure', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('loaded')
    const loadOnce = singleFlight(load)
    await expect(loadOnce()).rejects.toThrow('offline')
    expect(await loadOnce()).toBe('loaded')
  })
})
