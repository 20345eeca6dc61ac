import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { getSending, resumeSending } from '#server/sending/store.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE } from '../command.ts'

export const sending: Command = {
  name: 'sending',
  usage: 'on',
  summary: 'goes on with mails that are sent by themselves, which a restore pauses',
  async run({ db, settings, out }, args) {
    if (args.length !== 1 || args[0] !== 'on') return EXIT_USAGE
    if (settings.isSendingOff) throw new StartupError('SENDING=off pauses sending. Remove the setting first.')
    const { isPaused } = await getSending(db, settings)
    if (isPaused) {
      await db.transaction(async (tx) => {
        await resumeSending(tx)
        const after = { isPaused: false }
        await recordAuditEntry(tx, {
          ...{ action: 'sending', kind: 'programme', before: { isPaused: true }, after, detail: { by: 'operator' } },
        })
      })
    }
    out('Sending goes on.')
    return 0
  },
}
