import { queryOptions } from '@tanstack/react-query'
import type { MyNotes } from '#contract/note.ts'
import { get } from '#web/lib/http.ts'

const none: MyNotes = { founderNotes: [], companyNotes: [] }

/** The notes that one has written oneself. They only mark cards, so a failure is as good as having none. */
export const myNotes = queryOptions({
  queryKey: ['my-notes'],
  queryFn: ({ signal }) => get<MyNotes>('/notes/my-notes', { signal }).catch(() => none),
})
