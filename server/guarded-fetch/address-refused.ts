/** The one error for every reason why an address could not be read. `cause` holds the reason, for the log. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'

  constructor(cause?: unknown) {
    super('This address could not be read', { cause })
  }
}

/** The reason why an address could not be read. For the log only, because it reveals our own network. */
export const reasonOf = (refusal: unknown): string =>
  refusal instanceof AddressRefused && refusal.cause instanceof Error ? refusal.cause.message : String(refusal)
