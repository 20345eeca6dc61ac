// Preloaded into a server and its threads: records periodically how many bytes each of them holds after a
// collection. HELD_FILE names the file, HELD_EVERY_MS the interval. The process uses more memory than that, because
// engines keep what they have freed.
import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { threadId } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
setInterval(() => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  appendFileSync(process.env.HELD_FILE, `${Date.now()} ${threadId} ${heapUsed + external}\n`)
}, Number(process.env.HELD_EVERY_MS)).unref()
