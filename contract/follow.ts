import { z } from 'zod'

/** What a fellow has chosen for a record. No one else sees it. */
export const Follow = z.object({
  state: z.enum(['follow', 'mute', 'none'], { error: 'State must be follow, mute or none' }),
})
export type Follow = z.infer<typeof Follow>
