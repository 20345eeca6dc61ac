import { channel } from 'node:diagnostics_channel'

/** What the product tells of itself while it runs: heard where metrics are on, and costing next to nothing where not. */
type Signals = {
  /** A statement, with its wait for the database. */
  statement: { seconds: number }
  /** A password was hashed or checked, without the wait for its turn. */
  hash: { seconds: number }
  /** A provider was asked for one record. */
  provider: { provider: string; result: string }
  /** The mail server took a mail, or not. */
  mail: { result: 'sent' | 'failed' }
  /** A backup was made as planned, or should have been. */
  backup: { result: 'made' | 'failed' }
}

const channels = {
  statement: channel('sourcebook:statement'),
  hash: channel('sourcebook:hash'),
  provider: channel('sourcebook:provider'),
  mail: channel('sourcebook:mail'),
  backup: channel('sourcebook:backup'),
}

export const isHeard = (name: keyof Signals): boolean => channels[name].hasSubscribers

export const tell = <Name extends keyof Signals>(name: Name, what: Signals[Name]): void => channels[name].publish(what)

/** Calls `listener` for every signal until the function that it returns is called. */
export function hear<Name extends keyof Signals>(name: Name, listener: (what: Signals[Name]) => void): () => void {
  const heard = (what: unknown) => listener(what as Signals[Name])
  channels[name].subscribe(heard)
  return () => void channels[name].unsubscribe(heard)
}
