import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

type Grant = { challenge: string; nonce: string; redirectUri: string; claims: Record<string, unknown> }

export type TestIssuer = Awaited<ReturnType<typeof openIssuer>>

const CLIENT = { id: 'sourcebook', secret: 'the secret of the client' }

/**
 * A fake OpenID Connect issuer. Everyone is signed in as the person that the test names. It requires PKCE, the
 * registered redirect address, and one use per code.
 */
export async function openIssuer() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const grants = new Map<string, Grant>()
  let claims: Record<string, unknown> = {}
  let inUserInfo: Record<string, unknown> = {}
  let forged: Record<string, unknown> = {}

  const idToken = (payload: Record<string, unknown>) => {
    const signed = [{ alg: 'RS256', typ: 'JWT', kid: 'one' }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`
  }

  const token = (form: URLSearchParams) => {
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood =
      grant !== undefined &&
      challenge === grant.challenge &&
      form.get('redirect_uri') === grant.redirectUri &&
      form.get('client_id') === CLIENT.id &&
      form.get('client_secret') === CLIENT.secret
    if (!isGood) return { status: 400, body: { error: 'invalid_grant' } }
    const now = Math.floor(Date.now() / 1000)
    const standard = { iss: url, aud: CLIENT.id, iat: now, exp: now + 300, nonce: grant.nonce }
    const body = {
      access_token: 'access',
      token_type: 'Bearer',
      id_token: idToken({ ...standard, ...grant.claims, ...forged }),
    }
    return { status: 200, body }
  }

  const server = createServer(async (request, response) => {
    const at = new URL(request.url ?? '/', url)
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (at.pathname === '/.well-known/openid-configuration') {
      return answer(200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    }
    if (at.pathname === '/jwks') {
      return answer(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    }
    if (at.pathname === '/userinfo') return answer(200, { sub: claims.sub, ...inUserInfo })
    if (at.pathname === '/token') {
      const { status, body } = token(new URLSearchParams(await textOf(request)))
      return answer(status, body)
    }
    const asked = (name: string) => at.searchParams.get(name) ?? ''
    const code = randomBytes(8).toString('hex')
    grants.set(code, {
      challenge: asked('code_challenge'),
      nonce: asked('nonce'),
      redirectUri: asked('redirect_uri'),
      claims,
    })
    const back = new URL(asked('redirect_uri'))
    back.search = new URLSearchParams({ code, state: asked('state') }).toString()
    response.writeHead(302, { location: back.href }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`

  return {
    settings: { OIDC_ISSUER: url, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_NAME: 'Campus' },
    /** The person who signs in next, and the changed claims of the ID token. */
    says: (next: Record<string, unknown>, more: { userInfo?: typeof claims; forged?: typeof claims } = {}) => {
      claims = next
      inUserInfo = more.userInfo ?? {}
      forged = more.forged ?? {}
    },
    /** The address to which the issuer redirects a browser back. */
    visit: async (location: string): Promise<string> => {
      const answer = await fetch(location, { redirect: 'manual' })
      return answer.headers.get('location') ?? ''
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
