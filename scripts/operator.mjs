// What an operator does beside the page: `npm run operator` says which commands there are.
import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare({ web: false })
process.exitCode = await run([...node(), 'server/operator/main.ts', ...process.argv.slice(2)])
