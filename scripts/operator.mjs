// The operator's command line. `npm run operator` lists its commands.
import { prepare } from './prepare.mjs'
import { nodeWithSettings, run } from './run.mjs'

await prepare(['server'])
process.exitCode = await run([...nodeWithSettings(), 'dist/server/operator.js', ...process.argv.slice(2)])
