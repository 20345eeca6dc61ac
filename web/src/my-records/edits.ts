import { z } from 'zod'
import { drafts } from '#web/lib/drafts.ts'

const Edit = z.object({ notes: z.string(), rating: z.number(), version: z.number() })

/** What is typed into a card: also the version of the record that it was typed upon. */
export type Edit = z.infer<typeof Edit>

const placeOf = (account: string, id: string) => ({ account, form: `edit ${id}` })

export const readEdit = (account: string, id: string) => Edit.safeParse(drafts.read(placeOf(account, id))).data
export const keepEdit = (account: string, id: string, edit: Edit) => drafts.keep(placeOf(account, id), edit)
export const dropEdit = (account: string, id: string) => drafts.drop(placeOf(account, id))
