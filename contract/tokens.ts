import { z } from 'zod'
import { TOKEN_NAME_MAX } from './limits.ts'
import { requiredName } from './text.ts'
import { TOKEN_DAYS, tokenScopes, tokensAllowed } from './token-scopes.ts'

// Access tokens: for programs that act for a fellow, with at most the rights of a fellow.

const TokenScope = z.enum(tokenScopes)

export const TokenInput = z.object({
  name: requiredName('Name', TOKEN_NAME_MAX),
  scopes: z
    .array(z.enum(tokenScopes, 'Scopes are read, export and write'), { error: 'Scopes must be a list' })
    .max(tokenScopes.length, 'Scopes are read, export and write')
    .meta({ description: '`read` is always one of them' }),
  days: z.literal(TOKEN_DAYS, { error: 'Days must be 30, 90 or 365' }),
})
export type TokenInput = z.infer<typeof TokenInput>

/** A token of the caller, without its secret. */
export const AccessToken = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(TokenScope),
  lastFour: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().meta({ description: 'To the minute' }),
  lastNetwork: z.string().nullable().meta({ description: 'From where it was last used' }),
})
export type AccessToken = z.infer<typeof AccessToken>

/** The only response with the token itself. */
export const NewAccessToken = AccessToken.extend({
  token: z.string().meta({ description: 'Shown once, and stored as a hash' }),
})
export type NewAccessToken = z.infer<typeof NewAccessToken>

export const AccessTokens = z.object({
  allowed: z.enum(tokensAllowed).meta({ description: 'Which tokens fellows may have' }),
  isSafe: z.boolean().meta({
    description: 'Whether a token can be shown here: the product has an https address, or this browser is on localhost',
  }),
  tokens: z.array(AccessToken).meta({ description: 'Those that have not ended, newest first' }),
})
export type AccessTokens = z.infer<typeof AccessTokens>

export const TokenSettings = z.object({
  allowed: z.enum(tokensAllowed, { error: 'Allowed must be none, read or all' }),
  assistant: z.boolean({ error: 'Assistant must be true or false' }).meta({
    description: 'Whether assistants may come in by a token that only reads',
  }),
})
export type TokenSettings = z.infer<typeof TokenSettings>

export const NO_TOKEN = 'There is no such token'
export const TokenParams = z.object({ id: z.uuid({ error: NO_TOKEN }) })
