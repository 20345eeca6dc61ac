import { config } from 'zod/v4'

// The page imports this as `zod`, which would otherwise probe for `new Function`, which the content security
// policy forbids and reports.
config({ jitless: true })

export * from 'zod/v4'
