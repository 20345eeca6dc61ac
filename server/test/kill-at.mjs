import { existsSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

// Loaded before the server. Kills it at one statement of the embedded database's transactions, BEGIN and COMMIT
// included. The file KILL_AT holds the number of the statement; counting starts when the file exists. With `before`, the
// statement is not made. `ledger` is the COMMIT of a transaction that has added a line to the ledger, which is not made.

const file = process.env.KILL_AT
const { postMessage } = Worker.prototype
let left = Number.NaN
let isBefore = false
let hasLine = false

function readOrder() {
  const [at, when] = readFileSync(file, 'utf8').split(' ')
  left = at === 'ledger' ? Number.POSITIVE_INFINITY : Number(at)
  isBefore = at === 'ledger' || when === 'before'
}

function isReached({ alone, sql = '' }) {
  if (alone !== false) return false
  left -= 1
  if (/^begin/i.test(sql)) hasLine = false
  if (/insert into "ledger"/.test(sql)) hasLine = true
  return left === 0 || (left === Number.POSITIVE_INFINITY && hasLine && /^commit/i.test(sql))
}

Worker.prototype.postMessage = function (request, ...more) {
  if (Number.isNaN(left) && existsSync(file)) readOrder()
  if (!Number.isNaN(left) && isReached(request.work ?? {})) {
    if (isBefore) process.kill(process.pid, 'SIGKILL')
    // Kills after the statement, and before the server does anything else.
    this.prependListener('message', ({ id }) => {
      if (id === request.id) process.kill(process.pid, 'SIGKILL')
    })
    left = Number.NEGATIVE_INFINITY
  }
  return postMessage.call(this, request, ...more)
}
