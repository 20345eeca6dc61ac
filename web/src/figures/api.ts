import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Figures, FiguresQuery, MyFigures, Quality } from '#contract/figures.ts'
import { kindNames, kinds } from '#contract/kinds.ts'
import { get, getFile } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'

/** What the address shows of the figures. An unknown value is the default. */
export const myViewIn = (parameters: URLSearchParams): Pick<FiguresQuery, 'kind'> => ({
  kind: kindNames.find((name) => name === parameters.get('kind')) ?? kinds[0].name,
})
export const viewIn = (parameters: URLSearchParams): FiguresQuery => ({
  ...myViewIn(parameters),
  period: parameters.get('period') === 'month' ? 'month' : 'quarter',
})

const addressOf = (path: string, view: object) => `${path}?${new URLSearchParams(view as Record<string, string>)}`

export const figuresKey = ['figures'] as const

export const getFigures = (view: FiguresQuery) =>
  queryOptions({
    queryKey: [...figuresKey, 'programme', view],
    queryFn: ({ signal }) => get<Figures>(addressOf('/programme/figures', view), { signal }),
    staleTime: 0,
    meta: { failure: 'Failed to fetch figures', withScreen: true },
  })

export const getQuality = queryOptions({
  queryKey: [...figuresKey, 'quality'],
  queryFn: ({ signal }) => get<Quality>('/programme/quality', { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to fetch quality', withScreen: true },
})

export const getMyFigures = (view: Pick<FiguresQuery, 'kind'>) =>
  queryOptions({
    queryKey: [...figuresKey, 'mine', view],
    queryFn: ({ signal }) => get<MyFigures>(addressOf('/figures/mine', view), { signal }),
    staleTime: 0,
    meta: { failure: 'Failed to fetch figures', withScreen: true },
  })

export const saveFigures = mutationOptions({
  mutationFn: async ({ path, view }: { path: '/programme/figures.csv' | '/figures/mine.csv'; view: object }) =>
    saveFile(await getFile(addressOf(path, view))),
  meta: { failure: 'Failed to export' },
})
