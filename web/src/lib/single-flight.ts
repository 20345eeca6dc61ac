/** One promise for all callers. After a failure, the next call tries again. */
export function singleFlight<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () => {
    loading ??= load().catch((failure) => {
      loading = undefined
      throw failure
    })
    return loading
  }
}
