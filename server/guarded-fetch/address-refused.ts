/** The one sentence for everything that kept an address from being read; `cause` says which, and is for the log. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'

  constructor(cause?: unknown) {
    super('This address could not be read', { cause })
  }
}

/** What kept an address from being read, for the log only: it tells of our own network. */
export const reasonOf = (refusal: unknown): string =>
  refusal instanceof AddressRefused && refusal.cause instanceof Error ? refusal.cause.message : String(refusal)
