// Loaded before the server: its disk has no space left while the file DISK_FULL exists.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { statfs } = fs.promises
fs.promises.statfs = async (...given) => ({
  ...(await statfs(...given)),
  ...(fs.existsSync(process.env.DISK_FULL) && { bavail: 0 }),
})
syncBuiltinESMExports()
