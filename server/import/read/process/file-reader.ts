import type { Dialect } from '#contract/import-file.ts'
import type { FileRow } from '#server/import/read/files/row.ts'
import { notReadable, UnreadableFile } from '#server/import/read/files/unreadable-file.ts'
import type { Log } from '#server/log.ts'
import { createFairQueue } from './fair-queue.ts'
import type { Answer, Inspected, Question } from './protocol.ts'
import { createReaderProcess, ReaderKilled, type ReaderProcess } from './reader-process.ts'

/** A file in the file system, and the account whose turn it takes. `prepare` puts it there in its turn. */
export type ReadableFile = { path: string; bytes: number; owner: string; prepare?: () => Promise<void> }

/** Files of this size and more have a process of their own, so that small ones do not wait for them. */
const LARGE_BYTES = 1_000_000
const LIMITS = {
  /** The memory of each process for values, in MB. The file and the program itself need up to 100 MB more. */
  small: 128,
  large: 224,
  /** The time on a processor for one answer. Unlike time on the clock it does not pass while a machine is busy. */
  cpuMs: 30_000,
}
/** Further ones of the same account are refused. */
const INSPECTIONS_WAITING = 4

export type FileReader = ReturnType<typeof createFileReader>

/**
 * Reads files in processes of their own, at most two at a time, so that no file can stop or end the server. Waiting files
 * take turns by account.
 */
export function createFileReader(
  log: Log,
  limits: Partial<typeof LIMITS> = {},
  createProcess: (limits: { heapMb: number; cpuMs: number }) => ReaderProcess = createReaderProcess,
) {
  const { small, large, cpuMs } = { ...LIMITS, ...limits }
  const place = (heapMb: number) => ({ process: createProcess({ heapMb, cpuMs }), run: createFairQueue() })
  const places = { small: place(small), large: place(large) }

  async function ask({ bytes, owner, prepare }: ReadableFile, question: Question, waitingMax?: number) {
    const { process, run } = bytes < LARGE_BYTES ? places.small : places.large
    const work = async () => {
      await prepare?.()
      return process.ask(question)
    }
    return resultOf(await run(owner, work, waitingMax))
  }

  function resultOf(answer: Answer) {
    if ('unreadable' in answer) throw new UnreadableFile(answer.unreadable)
    if ('fault' in answer) {
      log.error({ fault: answer.fault }, 'A file could not be read because of an internal error')
      throw notReadable()
    }
    return answer
  }

  return {
    /** Throws `UnreadableFile`. */
    async inspect(file: ReadableFile, dialect?: Dialect): Promise<Inspected> {
      try {
        const answer = await ask(file, { act: 'inspect', path: file.path, dialect }, INSPECTIONS_WAITING)
        if ('inspected' in answer) return answer.inspected
        throw new Error('Not an inspection')
      } catch (error) {
        if (!(error instanceof ReaderKilled)) throw error
        log.warn({ bytes: file.bytes }, 'Inspecting a file was ended at a limit of memory or time')
        throw notReadable()
      }
    },

    /** The rows of a file, in parts. Between two parts others have their turn. Throws `UnreadableFile`, `ReaderKilled`. */
    async *rows(file: ReadableFile, dialect: Dialect): AsyncGenerator<FileRow[]> {
      for (let after = 0; ; ) {
        const answer = await ask(file, { act: 'rows', path: file.path, dialect, after })
        if (!('rows' in answer)) throw new Error('Not rows')
        yield answer.rows
        if (answer.isOver) return
        after += answer.rows.length
      }
    },

    /** Ends the processes. Whatever waits for them is rejected with `ReaderClosed`. */
    close(): void {
      for (const { process } of Object.values(places)) process.close()
    },
  }
}
