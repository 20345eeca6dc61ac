// A person without a password confirms who they are in a window of its own, which reports to the page that opened it.

type Result = { error: string | null }

const CHANNEL = 'identity'

export const reportConfirmation = (result: Result) => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(result)
  channel.close()
}

/** Calls `listener` with each result. Returns a function that stops it. */
export const onConfirmation = (listener: (result: Result) => void) => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<Result>) => listener(data)
  return () => channel.close()
}
