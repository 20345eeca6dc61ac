// Writes the software bill of materials from the lockfile, without the network, in CycloneDX format.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fail, say } from './run.mjs'

const [file = 'dist/sbom.cdx.json'] = process.argv.slice(2)
const { stdout, status } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
})
if (status !== 0) fail('npm could not read the lockfile: npm 10 or newer is needed.')
const bill = JSON.parse(stdout)
// npm uses the name of the folder as that of the product.
bill.metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`)
say(`${bill.components.length} packages are named in ${file}.`)
