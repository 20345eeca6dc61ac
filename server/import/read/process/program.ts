import { isMainThread, Worker, workerData } from 'node:worker_threads'

// The process that reads files. It knows no database and no settings. A thread of its own ends it when the server has
// gone, or when an answer takes too long: the thread that reads could not.

const LOOK_EVERY_MS = 250

/** Milliseconds on the processor, of all threads. */
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return Math.round((user + system) / 1_000)
}

function watch(shared: SharedArrayBuffer, limitMs: number) {
  /** While a question is answered, what `cpuMs` was at its start; else 0. */
  const since = new Int32Array(shared)
  const parent = process.ppid
  setInterval(() => {
    const started = Atomics.load(since, 0)
    const isLate = started !== 0 && cpuMs() - started > limitMs
    if (isLate || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, LOOK_EVERY_MS)
}

async function read() {
  const shared = new SharedArrayBuffer(4)
  const since = new Int32Array(shared)
  // A terminal sends its signals to all processes. The server ends this one.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
  const [{ createAnswers }] = await Promise.all([
    import('./answers.ts'),
    new Promise((resolve) =>
      new Worker(import.meta.filename, { workerData: shared, argv: process.argv.slice(2) }).once('online', resolve),
    ),
  ])
  const answer = createAnswers()
  process.on('message', async (question) => {
    Atomics.store(since, 0, Math.max(1, cpuMs()))
    const answered = await answer(question as Parameters<typeof answer>[0])
    Atomics.store(since, 0, 0)
    process.send?.(answered)
  })
}

if (isMainThread) await read()
else watch(workerData as SharedArrayBuffer, Number(process.argv[2]))
