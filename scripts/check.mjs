// Format, lint and types of everything. `npm run check -- --write` mends what can be mended.
import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare([])
const commands = [
  ['node_modules/@biomejs/biome/bin/biome', 'check', '.', ...process.argv.slice(2)],
  ...['.', 'web', 'e2e'].map((project) => ['node_modules/typescript/bin/tsc', '-p', project]),
]
const codes = []
for (const command of commands) codes.push(await run([...node(), ...command]))
process.exitCode = Math.max(...codes)
