import { createAnswers } from '#server/import/read/process/answers.ts'
import { createFileReader } from '#server/import/read/process/file-reader.ts'
import { ReaderClosed } from '#server/import/read/process/reader-process.ts'
import { quietLog } from './quiet-log.ts'

/** Reads files in this process, whose start would cost more than most tests. Questions and answers are sent as JSON. */
export const createLocalFileReader = () => createFileReader(quietLog, {}, createLocalProcess)

function createLocalProcess() {
  const answer = createAnswers()
  let isClosed = false
  return {
    async ask(question: Parameters<typeof answer>[0]) {
      if (isClosed) throw new ReaderClosed('The server stops')
      return asJson(await answer(asJson(question)))
    },
    close() {
      isClosed = true
    },
  }
}

const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
