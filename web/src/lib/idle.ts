/**
 * Runs `act` when the browser is idle, or a little later where idle callbacks are missing. Returns a function that
 * cancels it.
 */
export const whenIdle = (act: () => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 200)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(act, { timeout: 2000 })
  return () => cancelIdleCallback(asked)
}
