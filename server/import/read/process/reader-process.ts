import { type ChildProcess, fork } from 'node:child_process'
import { programOf } from '#server/files.ts'
import type { Answer, Question } from './protocol.ts'

/** The process has ended before it answered: killed at its limit of memory or time, or by someone else. */
export class ReaderKilled extends Error {}
/** The server stops. */
export class ReaderClosed extends Error {}

/** It stays for a while after an answer, because the next part of the file may be wanted. */
const IDLE_MS = 10_000
/** The process limits its time on the processor. This ends one that waits for something else, such as a disk. */
const SILENT_MS = 120_000

export type ReaderProcess = { ask: (question: Question) => Promise<Answer>; close: () => void }

/** A process that answers one question at a time. It is started when there is one, and again after it was killed. */
export function createReaderProcess({ heapMb, cpuMs }: { heapMb: number; cpuMs: number }): ReaderProcess {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  function start(): ChildProcess {
    const started = fork(programOf('import/read/process/program'), [String(cpuMs)], {
      // No settings of the server: a file may exploit a mistake in a parser.
      env: {},
      execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=8'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const gone = () => {
      if (child === started) child = undefined
    }
    started.once('exit', gone).once('error', gone)
    return started
  }

  function end() {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = undefined
  }

  async function ask(question: Question): Promise<Answer> {
    if (isClosed) throw new ReaderClosed('The server stops')
    clearTimeout(idle)
    child ??= start()
    const asked = child
    asked.ref()
    asked.channel?.ref()
    return new Promise<Answer>((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer)
        asked.off('message', hear).off('exit', fail).off('error', fail)
      }
      const fail = () => {
        finish()
        reject(isClosed ? new ReaderClosed('The server stops') : new ReaderKilled('The process was killed'))
      }
      const hear = (message: Answer) => {
        finish()
        asked.unref()
        asked.channel?.unref()
        idle = setTimeout(end, IDLE_MS).unref()
        resolve(message)
      }
      const timer = setTimeout(end, SILENT_MS)
      asked.on('message', hear).once('exit', fail).once('error', fail)
      // What is sent before the process listens is kept for it.
      asked.send(question, (error) => error && fail())
    })
  }

  return {
    ask,
    close() {
      isClosed = true
      end()
    },
  }
}
