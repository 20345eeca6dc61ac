type Advisory = { title: string; url: string }
type Vulnerability = { name: string; severity: string; via: (Advisory | string)[] }
type Audit = {
  vulnerabilities?: Record<string, Vulnerability>
  metadata?: { dependencies?: { total?: number } }
  message?: string
}

const GRAVE = ['high', 'critical']

/**
 * The result of `npm audit --json`, in sentences. `isBad` when action is needed. Every package counts: the page's
 * libraries are development dependencies, because the build bundles them.
 */
export function readAudit(output: string): { isBad: boolean; lines: string[] } {
  const audit = parse(output)
  if (audit?.vulnerabilities === undefined) {
    const why = audit?.message ?? 'no answer'
    return { isBad: false, lines: [`The registry could not be asked for advisories, so nothing was checked (${why}).`] }
  }
  const grave = Object.values(audit.vulnerabilities).filter(({ severity }) => GRAVE.includes(severity))
  const count = audit.metadata?.dependencies?.total ?? 'all'
  if (grave.length === 0) {
    return { isBad: false, lines: [`No advisory of severity high or critical names any of ${count} packages.`] }
  }
  return {
    isBad: true,
    lines: [
      `Advisories of severity high or critical name ${grave.length} of ${count} packages:`,
      ...grave.map(({ name, severity, via }) => `  ${name} (${severity}): ${titlesOf(via)}`),
    ],
  }
}

/** An entry of `via` is the advisory itself, or the name of the package that causes it. */
const titlesOf = (via: Vulnerability['via']) =>
  via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} ${one.url}`)).join('; ')

function parse(output: string): Audit | undefined {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}
