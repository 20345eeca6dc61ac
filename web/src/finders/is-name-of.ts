import type { User } from '#contract/auth.ts'

/** Whether a finder's name is the signed-in person's. The API names finders by ids that the page does not know of itself. */
export const isNameOf = ({ name, email }: User, finder: string | null) =>
  finder !== null && [name, email].includes(finder)
