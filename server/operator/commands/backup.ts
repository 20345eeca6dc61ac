import { resolve } from 'node:path'
import { writeBackup } from '#server/backup/write.ts'
import { type Command, EXIT_USAGE } from '../command.ts'

export const backup: Command = {
  name: 'backup',
  usage: 'FILE [--force]',
  summary: 'writes all there is into a file, while the product goes on; --force replaces a file',
  takesAnySchema: true,
  async run({ database, folder, signal, out }, args) {
    const [file, ...others] = args.filter((word) => word !== '--force')
    if (file === undefined || file.startsWith('-') || others.length > 0) return EXIT_USAGE
    const path = resolve(folder, file)
    const { bytes, rows } = await writeBackup(database, path, { replaces: args.includes('--force'), signal })
    out(`Wrote ${rows.toLocaleString('en')} rows to ${path} (${(bytes / 1e6).toFixed(1)} MB), and read them back.`)
    out('Whoever has this file has everything, the secret that signs cookies too: keep it where only you can read it.')
    return 0
  },
}
