// What access tokens may do, and which fellows may have. Without shapes, for pages.

/** What a token may do. Reading is always part of it. */
export const tokenScopes = ['read', 'export', 'write'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** In days. */
export const TOKEN_DAYS = [30, 90, 365] as const

/** Which tokens fellows may have: none, those that only read, or all. */
export const tokensAllowed = ['none', 'read', 'all'] as const
export type TokensAllowed = (typeof tokensAllowed)[number]

/** Whether a token with these scopes may be made and used. */
export const isTokenAllowed = (allowed: TokensAllowed, scopes: readonly TokenScope[]): boolean =>
  allowed === 'all' || (allowed === 'read' && scopes.every((scope) => scope === 'read'))

/** How each token begins, by which scanners of secrets find it. */
export const TOKEN_PREFIX = 'sbk_'
