import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare()
process.exitCode = await run([...node(), '--enable-source-maps', 'dist/server/main.js'])
