import { resolve } from 'node:path'
import { prepare } from './prepare.mjs'
import { nodeWithSettings, run } from './run.mjs'

await prepare()
// Keeps Node's compile cache for the next start.
const env = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/node') }
process.exitCode = await run([...nodeWithSettings(), 'dist/server/main.js'], { env })
