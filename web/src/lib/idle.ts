/** Acts when the browser has nothing else to do, or a little later where it cannot tell. Returns how to call it off. */
export const whenIdle = (act: () => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 200)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(act, { timeout: 2000 })
  return () => cancelIdleCallback(asked)
}
