export const delay = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** How long a loading state stays on screen at least, so that nothing flashes. */
export const PENDING_AT_LEAST = 150

/** The promise, settled no sooner than after `milliseconds`: the wait runs beside it, never after it. */
export const atLeast = async <Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> => {
  const [settled] = await Promise.allSettled([promise, delay(milliseconds)])
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}
