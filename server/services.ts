import type { Accounts } from './auth/accounts.ts'
import type { Guard } from './auth/guard.ts'
import type { Database } from './db/database.ts'
import type { Settings } from './env.ts'
import type { Hub } from './live/hub.ts'

/** What routes work with; made once in `app.ts`. */
export type Services = { db: Database; settings: Settings; accounts: Accounts; guard: Guard; hub: Hub }
