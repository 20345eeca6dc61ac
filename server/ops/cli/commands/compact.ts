import { sql } from 'drizzle-orm'
import { type Command, EXIT_USAGE } from '../command.ts'
import { wrapped } from '../lines.ts'

const DONE = `The tables are rewritten: their files hold nothing of what was deleted or erased. Write-ahead logs, archives, replicas and older backups keep it until they expire.`

export const compact: Command = {
  name: 'compact',
  usage: '',
  summary: 'rewrites the tables without what was deleted; stop the server first',
  wantsDatabaseAlone: true,
  async run({ database, out }, args) {
    if (args.length > 0) return EXIT_USAGE
    await database.db.execute(sql`vacuum (full, analyze)`)
    for (const line of wrapped(DONE)) out(line)
    return 0
  },
}
