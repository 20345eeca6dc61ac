import type { DeniedRequests } from './audit-log/denied-requests.ts'
import type { AddressChange } from './auth/links/address-change.ts'
import type { EmailVerification } from './auth/links/email-verification.ts'
import type { PasswordReset } from './auth/links/password-reset.ts'
import type { Guard } from './auth/sessions/guard.ts'
import type { Accounts } from './auth/sign-in/accounts.ts'
import type { Database } from './db/database.ts'
import type { Enrichment } from './enrichment/enrichment.ts'
import type { Settings } from './env.ts'
import type { Uploads } from './import/http/receive.ts'
import type { ImportJobs } from './import/jobs/jobs.ts'
import type { TemporaryFiles } from './import/jobs/temporary-files.ts'
import type { FileReader } from './import/read/process/file-reader.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Hub } from './live/hub.ts'
import type { Mailer } from './mail/mailer.ts'

/** The services of routes, created once in `app.ts`. */
export type Services = {
  db: Database
  settings: Settings
  /** Signs cookies, and encrypts stored secrets. */
  secret: string
  accounts: Accounts
  emailVerification: EmailVerification
  passwordReset: PasswordReset
  addressChange: AddressChange
  /** Undefined where no mail is set up. */
  mailer: Mailer | undefined
  guard: Guard
  /** The .edu domains that may join; empty when all may. */
  joinDomains: () => Promise<string[]>
  hub: Hub
  enrichment: Enrichment
  importJobs: ImportJobs
  /** Reads files in processes of their own. */
  fileReader: FileReader
  temporaryFiles: TemporaryFiles
  receiveUpload: Uploads
  deniedRequests: DeniedRequests
  ledger: Ledger
}
