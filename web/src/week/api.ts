import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Week } from '#contract/week.ts'
import { figuresKey } from '#web/figures/api.ts'
import { get, getFile } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'

export const getWeek = (week: string) =>
  queryOptions({
    queryKey: [...figuresKey, 'week', week],
    queryFn: ({ signal }) => get<Week>(`/programme/week/${week}`, { signal }),
    staleTime: 0,
    meta: { failure: 'Failed to fetch the week', withScreen: true },
  })

export const saveWeek = mutationOptions({
  mutationFn: async (week: string) => saveFile(await getFile(`/programme/week/${week}.csv`)),
  meta: { failure: 'Failed to export' },
})
