import { existsSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

// Loaded before the server. Kills it at one statement of the embedded database's transactions, BEGIN and COMMIT
// included. The file KILL_AT holds the number of the statement; counting starts when the file exists.

const file = process.env.KILL_AT
const { postMessage } = Worker.prototype
let left = Number.NaN

Worker.prototype.postMessage = function (request, ...more) {
  if (Number.isNaN(left) && existsSync(file)) left = Number(readFileSync(file, 'utf8'))
  if (request.work?.alone === false) left -= 1
  if (left === 0) {
    // Kills after the statement, and before the server does anything else.
    this.prependListener('message', ({ id }) => {
      if (id === request.id) process.kill(process.pid, 'SIGKILL')
    })
    left = Number.NEGATIVE_INFINITY
  }
  return postMessage.call(this, request, ...more)
}
