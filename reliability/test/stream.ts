import { onTestFinished } from 'vitest'

export type Stream = {
  /** The kinds of events so far, in order. */
  events: string[]
  ids: string[]
  hasEnded: () => boolean
}

/** Follows the live stream of a signed-in caller, until it ends or the test does. */
export async function follow(url: string, headers: Record<string, string>): Promise<Stream> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const answer = await fetch(`${url}/api/events`, { headers, signal: stop.signal })
  if (!answer.ok || answer.body === null) throw new Error(`The stream answered ${answer.status}`)
  const stream = { events: [] as string[], ids: [] as string[], isOver: false }
  const read = async (body: ReadableStream<Uint8Array>) => {
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const messages = (text + chunk).split('\n\n')
      text = messages.pop() as string
      for (const message of messages.filter((line) => line.startsWith('data: '))) {
        const { kind, id } = JSON.parse(message.slice('data: '.length)) as { kind: string; id?: string }
        stream.events.push(kind)
        if (id !== undefined) stream.ids.push(id)
      }
    }
  }
  void read(answer.body as ReadableStream<Uint8Array>)
    .catch(() => {})
    .finally(() => {
      stream.isOver = true
    })
  return { events: stream.events, ids: stream.ids, hasEnded: () => stream.isOver }
}
