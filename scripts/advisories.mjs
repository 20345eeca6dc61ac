// Checks every installed package against the known advisories, if the network allows it.
import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare([])
process.exitCode = await run([...node(), 'scripts/advisories.ts'])
