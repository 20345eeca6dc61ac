import * as oidc from 'openid-client'
import type { SsoIssuer } from '#server/env-sso.ts'

// One OpenID Connect issuer: authorization code flow with PKCE, state and nonce. The operator chose the issuer, so
// requests to it do not go through the guarded client.

const PATIENCE_SECONDS = 5

/** The state that a browser carries from the start of a sign-in to its end. */
export type Attempt = { state: string; nonce: string; verifier: string }

/** The identity as the issuer states it, not judged yet. */
export type Claims = { [claim: string]: unknown } & { iss: string; sub: string }

export function openIssuer({ id, issuer, clientId, clientSecret }: SsoIssuer) {
  let found: Promise<oidc.Configuration> | undefined

  /** The issuer's metadata. Requested once, and again after a failure. */
  const configuration = (): Promise<oidc.Configuration> => {
    const execute = issuer.startsWith('http://') ? [oidc.allowInsecureRequests] : []
    found ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: PATIENCE_SECONDS })
      .catch((error) => {
        found = undefined
        throw error
      })
    return found
  }

  return {
    /**
     * The URL to send a browser to, and the state that the browser has to bring back. `isAgain` asks for a new sign-in
     * there. Google has no such request: it lets the person choose the account.
     */
    async begin(redirectUri: string, isAgain = false): Promise<{ location: string; attempt: Attempt }> {
      const config = await configuration()
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const { href } = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
        ...(isAgain && (id === 'google' ? { prompt: 'select_account' } : { prompt: 'login', max_age: '0' })),
      })
      return { location: href, attempt }
    },

    /** Exchanges the code for the identity that the issuer vouches for. Throws when anything does not match. */
    async finish(cameBackTo: URL, { state, nonce, verifier }: Attempt): Promise<Claims> {
      const config = await configuration()
      const tokens = await oidc.authorizationCodeGrant(config, cameBackTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The issuer sent no ID token')
      if (claims.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return claims
      return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
    },
  }
}
