import nodemailer from 'nodemailer'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import { publish } from '#server/telemetry.ts'

/** The longest wait for a mail server. The mail may still be sent afterwards. */
const PATIENCE_MS = 5_000
/** A connection that is idle for this long is closed. */
const SILENCE_MS = 10_000

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  messageId?: string
  headers?: Record<string, string>
}

export type Mailer = {
  /** Hands a mail to the mail server. False when the server did not accept it, or not yet. Never throws. */
  send: (mail: Mail) => Promise<boolean>
  close: () => void
}

/** The connection to the mail server. Never use it inside a transaction, because it may take seconds. */
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
          // The response of a mail server may quote the mail, including the link.
          log.warn({ code: error.code, answer: error.responseCode }, 'The mail server rejected a mail')
          return false
        },
      )
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<false>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS, false)
      })
      return Promise.race([sent, timeout]).finally(() => clearTimeout(timer))
    },
    close: () => transport.close(),
  }
}
