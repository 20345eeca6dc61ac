// A person without a password confirms who they are in a window of its own, which reports to the page that opened it.

type Result = { error: string | null }

const channelOf = (account: string) => `identity ${account}`

export const reportConfirmation = (account: string, result: Result) => {
  const channel = new BroadcastChannel(channelOf(account))
  channel.postMessage(result)
  channel.close()
}

/** Calls `listener` with each result. Returns a function that stops it. */
export const onConfirmation = (account: string, listener: (result: Result) => void) => {
  const channel = new BroadcastChannel(channelOf(account))
  channel.onmessage = ({ data }: MessageEvent<Result>) => listener(data)
  return () => channel.close()
}
