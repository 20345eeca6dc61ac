/** What was read; `url` is where the last redirect led. `body` is decoded and at most `maxBytes` long. */
export type Fetched = { url: string; status: number; contentType: string; body: Buffer }

export type GuardedClient = {
  /**
   * GET an address that came from outside. Throws `AddressRefused` for everything that is not an answer: an address
   * that is not public, another port or scheme, no connection, too slow, too long, too many redirects. All of them say
   * the same, so that nobody can look around our network with it.
   */
  get: (url: string, options: { signal?: AbortSignal; accept?: string; maxBytes?: number }) => Promise<Fetched>
}
