import { queryOptions } from '@tanstack/react-query'
import type { Kind, KindName } from '#contract/kinds.ts'
import type { MyNotes } from '#contract/note.ts'
import { kinds } from '#web/kinds.ts'
import { get } from '#web/lib/http.ts'

/** The ids of the records that the fellow has written notes on. They only mark cards, so a failure counts as none. */
export const myNotes = queryOptions({
  queryKey: ['my-notes'],
  queryFn: ({ signal }) =>
    get<MyNotes>('/notes/my-notes', { signal }).then(
      (notes) => kinds.flatMap((kind) => notes[`${kind.name}Notes`].map((noted) => idOf(noted, kind))),
      () => [],
    ),
})

const idOf = (noted: Partial<Record<`${KindName}Id`, string>>, { name }: Kind) => noted[`${name}Id`] ?? ''
