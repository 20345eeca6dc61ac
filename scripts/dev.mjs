import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare([])
// When one program ends, it ends the other by a signal to this process, which is passed on. `process.exit` would leave
// the other one running.
const both = [
  run([...node(), '--watch', '--watch-preserve-output', 'server/main.ts']),
  run([...node(), 'node_modules/vite/bin/vite.js']),
]
process.exitCode = await Promise.race(both)
process.kill(process.pid, 'SIGTERM')
