import type { SearchNews } from './saved-search.ts'

/** The parameter of a list's address that names the saved search which is open. */
export const SAVED = 'saved'

/** The address of the list of a search; with a cohort, of those of its records. */
export function searchAddress(list: string, { id, query }: { id: string; query: string }, cohort?: string): string {
  const parameters = new URLSearchParams(query)
  parameters.set(SAVED, id)
  if (cohort !== undefined) parameters.set('cohort', cohort)
  return `${list}?${parameters}`
}

const shown = ({ count, hasMore }: SearchNews['new']) => `${count}${hasMore ? '+' : ''}`

/** `3 new, 2 changed`. Empty without any. */
export function newsWords(news: Pick<SearchNews, 'new' | 'changed' | 'isMany'> | undefined): string {
  if (news === undefined) return ''
  if (news.isMany) return 'many changes'
  const parts = [
    ...(news.new.count > 0 ? [`${shown(news.new)} new`] : []),
    ...(news.changed.count > 0 ? [`${shown(news.changed)} changed`] : []),
  ]
  return parts.join(', ')
}
