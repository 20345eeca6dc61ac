import nodemailer from 'nodemailer'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import { publish } from '#server/ops/telemetry.ts'

/** Nobody waits longer than this for a mail server; the mail may still go out afterwards. */
const PATIENCE_MS = 5_000
/** What stands still for this long is given up. */
const SILENCE_MS = 10_000

export type Mail = { to: string; subject: string; text: string; html: string }

export type Mailer = {
  /** Hands a mail to the mail server. False when it did not take it, or not yet; never throws. */
  send: (mail: Mail) => Promise<boolean>
  close: () => void
}

/** The way to the mail server. Never inside a transaction: it may take seconds. */
export function createMailer({ smtpUrl, from }: NonNullable<Settings['mail']>, log: Log): Mailer {
  const transport = nodemailer.createTransport(
    { url: smtpUrl, connectionTimeout: SILENCE_MS, greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
    { from },
  )
  return {
    async send(mail) {
      const sent = transport.sendMail(mail).then(
        () => {
          publish('mail', { result: 'sent' })
          return true
        },
        (error: { code?: string; responseCode?: number }) => {
          publish('mail', { result: 'failed' })
          // The answer of a mail server may quote the mail, and with it the link.
          log.warn({ code: error.code, answer: error.responseCode }, 'The mail server rejected a mail')
          return false
        },
      )
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<false>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS, false)
      })
      return Promise.race([sent, patience]).finally(() => clearTimeout(timer))
    },
    close: () => transport.close(),
  }
}
