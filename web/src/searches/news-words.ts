import type { SearchNews } from '#contract/saved-search.ts'

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
