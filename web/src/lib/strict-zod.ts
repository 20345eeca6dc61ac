import { z } from 'zod'

// Zod would otherwise probe for `new Function`, which the content security policy forbids and reports. Imported before
// any schema is made.
z.config({ jitless: true })
