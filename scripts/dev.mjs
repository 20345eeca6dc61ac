import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare([])
// Whichever ends first ends the other. `process.exit` would leave it running, but a signal to this process is passed
// on.
const both = [
  run([...node(), '--watch', '--watch-preserve-output', 'server/main.ts']),
  run([...node(), 'node_modules/vite/bin/vite.js']),
]
process.exitCode = await Promise.race(both)
process.kill(process.pid, 'SIGTERM')
