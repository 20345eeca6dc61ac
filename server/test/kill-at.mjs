import { existsSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'

// Loaded before the server. Kills it at one statement of its transactions, BEGIN and COMMIT included. The file KILL_AT
// holds the number of the statement; counting starts when the file exists. With `before`, the statement is not sent.
// `ledger` is the COMMIT of a transaction that has added a line to the ledger, which is not sent.

const file = process.env.KILL_AT
const { write } = Socket.prototype
let left = Number.NaN
let isBefore = false
/** The connections to the database, and what each one does. */
const connections = new WeakMap()

const VERSION_3 = 196_608
const QUERY = 'Q'.charCodeAt(0)
const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)

function readOrder() {
  const [at, when] = readFileSync(file, 'utf8').split(' ')
  left = at === 'ledger' ? Number.POSITIVE_INFINITY : Number(at)
  isBefore = at === 'ledger' || when === 'before'
}

/** Whether this message of the protocol is the statement at which to kill. */
function isReached(message, connection) {
  if (message[0] === PARSE) {
    const [, name, text] = /^.{5}([^\0]*)\0([^\0]*)/s.exec(message.toString('latin1')) ?? []
    connection.texts.set(name, text)
  }
  if (message[0] !== QUERY && message[0] !== BIND) return false
  const parts = message.subarray(5).toString('latin1').split('\0')
  const text = message[0] === QUERY ? parts[0] : connection.texts.get(parts[1])
  if (/^begin/i.test(text)) Object.assign(connection, { isOpen: true, hasLine: false })
  if (!connection.isOpen) return false
  left -= 1
  if (/insert into "ledger"/.test(text)) connection.hasLine = true
  const isCommit = /^commit/i.test(text)
  if (isCommit || /^rollback/i.test(text)) connection.isOpen = false
  return left === 0 || (left === Number.POSITIVE_INFINITY && connection.hasLine && isCommit)
}

Socket.prototype.write = function (message, ...more) {
  if (Buffer.isBuffer(message)) {
    if (message.length > 8 && message.readInt32BE(4) === VERSION_3) connections.set(this, { texts: new Map() })
    const connection = connections.get(this)
    if (Number.isNaN(left) && existsSync(file)) readOrder()
    if (connection && !Number.isNaN(left) && isReached(message, connection)) {
      if (isBefore) process.kill(process.pid, 'SIGKILL')
      // Kills after the statement, and before the server does anything else.
      this.prependListener('data', () => process.kill(process.pid, 'SIGKILL'))
      left = Number.NEGATIVE_INFINITY
    }
  }
  return write.call(this, message, ...more)
}
