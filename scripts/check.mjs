// Format, lint, layers, types and wording of everything. `npm run check -- --write` fixes what can be fixed.
import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare([])
const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '.', ...process.argv.slice(2)]
const others = [
  ['scripts/words.mjs'],
  ['scripts/layers.ts'],
  ...['.', 'web', 'e2e'].map((project) => ['node_modules/typescript/bin/tsc', '-p', project]),
]
const check = (command) => run([...node(), ...command])
// Side by side. What Biome writes, the others read.
const written = process.argv.includes('--write') ? [await check(biome)] : []
const codes = await Promise.all((written.length > 0 ? others : [biome, ...others]).map(check))
process.exitCode = Math.max(...written, ...codes)
