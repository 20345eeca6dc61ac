import { resolve } from 'node:path'
import { saveBackup, streamBackup } from '#server/ops/backup/write.ts'
import { type Command, EXIT_USAGE } from '../command.ts'
import { wrapped } from '../lines.ts'

export const backup: Command = {
  name: 'backup',
  usage: 'FILE [--force]',
  summary: 'writes everything into a file while the server runs; --force replaces an existing file',
  takesAnySchema: true,
  async withFile({ folder, signal, out }, args, run) {
    const [file, ...others] = args.filter((word) => word !== '--force')
    if (file === undefined || file.startsWith('-') || others.length > 0) return EXIT_USAGE
    const path = resolve(folder, file)
    const options = { replaces: args.includes('--force'), signal }
    const { bytes, rows } = await saveBackup(path, (write) => run({ write }), options)
    const said = `Wrote ${rows.toLocaleString('en')} rows to ${path} (${(bytes / 1e6).toFixed(1)} MB), and read them back.
This file holds all data and the secret that signs cookies. Keep it where only you can read it.`
    for (const line of wrapped(said)) out(line)
    return 0
  },
  async run({ database, signal, write }) {
    if (write === undefined) return EXIT_USAGE
    await streamBackup(database, write, signal)
    return 0
  },
}
