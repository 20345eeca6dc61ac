import { prepare } from './prepare.mjs'
import { nodeWithSettings, run } from './run.mjs'

await prepare([])
process.exitCode = await run([...nodeWithSettings(), 'scripts/seed.ts', ...process.argv.slice(2)])
