/** The one sentence for everything that kept an address from being read; `cause` says which, and is for the log. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'

  constructor(cause?: unknown) {
    super('This address could not be read', { cause })
  }
}
