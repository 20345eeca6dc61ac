import { channel } from 'node:diagnostics_channel'

/** Events that the product publishes about itself. Only metrics subscribe; without them they cost next to nothing. */
type Events = {
  /** A statement, with its wait for the database. */
  statement: { seconds: number }
  /** A password was hashed or checked. Excludes the wait for a free slot. */
  hash: { seconds: number }
  /** A provider was called for one record. */
  provider: { provider: string; result: string }
  /** A mail was handed to the mail server. */
  mail: { result: 'sent' | 'failed' }
  /** A scheduled backup ended. */
  backup: { result: 'made' | 'failed' }
}

const channels = {
  statement: channel('sourcebook:statement'),
  hash: channel('sourcebook:hash'),
  provider: channel('sourcebook:provider'),
  mail: channel('sourcebook:mail'),
  backup: channel('sourcebook:backup'),
}

export const hasSubscribers = (name: keyof Events): boolean => channels[name].hasSubscribers

export const publish = <Name extends keyof Events>(name: Name, event: Events[Name]): void =>
  channels[name].publish(event)

/** Calls `listener` for every event until the function that it returns is called. */
export function subscribe<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
  const onMessage = (event: unknown) => listener(event as Events[Name])
  channels[name].subscribe(onMessage)
  return () => void channels[name].unsubscribe(onMessage)
}
