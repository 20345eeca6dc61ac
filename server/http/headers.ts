import type { Settings } from '../env.ts'

/** The content security policy of a response. `styles` lists the sources of its styles. */
export const contentPolicy = (styles: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';')

/** The headers of every response: no content may be executed elsewhere, framed, sniffed or read across origins. */
export const safeHeaders = (settings: Settings): Record<string, string> => ({
  'content-security-policy': contentPolicy("'none'"),
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  // Browsers that still have this filter are safer without it.
  'x-xss-protection': '0',
  // Browsers remember it for a year, so it is sent only where https is certain.
  ...(settings.isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})
