// Format, lint, layers, types and wording of everything. `npm run check -- --write` fixes what can be fixed.
import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare([])
const commands = [
  ['node_modules/@biomejs/biome/bin/biome', 'check', '.', ...process.argv.slice(2)],
  ['scripts/words.mjs'],
  ['scripts/layers.ts'],
  ...['.', 'web', 'e2e'].map((project) => ['node_modules/typescript/bin/tsc', '-p', project]),
]
const codes = []
for (const command of commands) codes.push(await run([...node(), ...command]))
process.exitCode = Math.max(...codes)
