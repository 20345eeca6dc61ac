// What an operator does beside the page: `npm run operator` says which commands there are.
import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare(['server'])
process.exitCode = await run([...node(), 'dist/server/operator.js', ...process.argv.slice(2)])
