import { config } from 'zod/v4'

// What the page gets where it imports `zod`. Zod would otherwise probe for `new Function`, which the content security
// policy forbids and reports.
config({ jitless: true })

export * from 'zod/v4'
