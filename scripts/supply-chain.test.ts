import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAudit } from './advisory-report.ts'

const REGISTRY = 'https://registry.npmjs.org/'

type Locked = { version: string; resolved?: string; integrity?: string }

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const packages = Object.entries(
  JSON.parse(readFileSync('package-lock.json', 'utf8')).packages as Record<string, Locked>,
)
const installed = packages.filter(([path]) => path !== '')

describe('The packages', () => {
  it('are pinned to exact versions', () => {
    const asked = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    })
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([])
  })

  it('come from the npm registry, each with a digest in the lockfile', () => {
    const loose = installed.filter(
      ([, { resolved = REGISTRY, integrity }]) => !resolved.startsWith(REGISTRY) || !integrity?.startsWith('sha512-'),
    )
    expect(loose.map(([path]) => path)).toEqual([])
  })

  it('run no install scripts', () => {
    expect(readFileSync('scripts/prepare.mjs', 'utf8')).toContain('--ignore-scripts')
  })
})

describe('The bill of materials', () => {
  it('lists every package of the lockfile in CycloneDX, without the network', {
    tags: 'slow',
    timeout: 120_000,
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sourcebook-sbom-'))
    const file = join(folder, 'sbom.json')
    const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.mjs', file], {
      encoding: 'utf8',
      env: { ...process.env, npm_config_offline: 'true' },
    })
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('Error')])
    const bill = JSON.parse(readFileSync(file, 'utf8'))
    rmSync(folder, { recursive: true })
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'sourcebook' } } })
    const named = new Set(bill.components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`))
    const missing = installed
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`)
      .filter((one) => !named.has(one))
    expect(missing).toEqual([])
  })
})

describe('The check against advisories', () => {
  const metadata = { dependencies: { total: 300 } }

  it('reports an unreachable registry, and does not fail without network', () => {
    const refused = JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '', detail: '' } })
    for (const output of [refused, '', 'no JSON']) {
      const { isBad, lines } = readAudit(output)
      expect([isBad, lines[0]]).toEqual([false, expect.stringContaining('nothing was checked')])
    }
  })

  it('passes without serious advisories', () => {
    const vulnerabilities = { a: { name: 'a', severity: 'moderate', via: [] } }
    expect(readAudit(JSON.stringify({ vulnerabilities, metadata }))).toEqual({
      isBad: false,
      lines: ['No advisory of severity high or critical names any of 300 packages.'],
    })
  })

  it('fails with the names of packages with serious advisories', () => {
    const vulnerabilities = {
      a: { name: 'a', severity: 'high', via: [{ title: 'Runs what it is sent', url: 'https://example.com/1' }] },
      b: { name: 'b', severity: 'critical', via: ['a'] },
    }
    expect(readAudit(JSON.stringify({ vulnerabilities, metadata }))).toEqual({
      isBad: true,
      lines: [
        'Advisories of severity high or critical name 2 of 300 packages:',
        '  a (high): Runs what it is sent https://example.com/1',
        '  b (critical): by a',
      ],
    })
  })
})

describe('The built page', () => {
  const built = 'dist/web'
  const filesOf = (ending: string) =>
    readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending))

  it('loads nothing from other sites', () => {
    const html = readFileSync(join(built, 'index.html'), 'utf8')
    expect(html.match(/(?:src|href)="(?!\/)[^"]*"/g)).toBeNull()
    for (const file of filesOf('.css')) {
      const styles = readFileSync(join(built, file), 'utf8')
      expect([file, styles.match(/@import[^;]*|url\(["']?(?!data:|\/|#|["'])[^)]*\)/g)]).toEqual([file, null])
    }
    for (const file of filesOf('.js')) {
      const script = readFileSync(join(built, file), 'utf8')
      expect([file, script.match(/\b(?:import|fetch|importScripts)\s*\(\s*["'`](?:https?:)?\/\/[^)]*/g)]).toEqual([
        file,
        null,
      ])
    }
  })
})
