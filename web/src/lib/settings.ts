/** What the server writes into the page it answers with: `<meta name="…">` in index.html. */
const written = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

export const settings = {
  teamDomain: written('team-domain'),
  programmeName: written('programme-name'),
  cspNonce: written('csp-nonce'),
}
