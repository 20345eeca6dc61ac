import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { refreshRecord } from './api.ts'

type Refreshable = { id: string; name: string }
type RefreshOptions = {
  success: (name: string) => string
  failure: string
  /** Shows the refreshed data of the record on the page. */
  reload: (kind: Kind, id: string) => Promise<unknown>
}

/** `id` is the record being refreshed from this list. `isBusy` is true during any refresh on the page. */
export type Refreshing = { id: string | null; isBusy: boolean; start: (kind: Kind, record: Refreshable) => void }

const refreshes = { mutationKey: ['refresh'] }

/** Refreshes a record, one at a time over all kinds, with toasts. */
export const useRefresh = ({ success, failure, reload }: RefreshOptions): Refreshing => {
  const client = useQueryClient()
  const isBusy = useIsMutating(refreshes) > 0
  const refresh = useMutation({
    ...refreshes,
    mutationFn: async ({ kind, id, name }: Refreshable & { kind: Kind }) => {
      const done = toasts.loading(`Refreshing ${name}…`)
      try {
        return await refreshRecord(kind, id)
      } finally {
        done()
      }
    },
    onSuccess: async (answer, { kind, id, name }) => {
      if (!answer.success) return toasts.info(answer.error)
      if ('pending' in answer) return toasts.info(`Still looking for public data on ${name}. It will appear here.`)
      toasts.success(success(name))
      if (answer.notice) toasts.info(answer.notice)
      await reload(kind, id)
    },
    meta: { failure },
  })
  return {
    id: refresh.isPending ? refresh.variables.id : null,
    isBusy,
    start: (kind, { id, name }) => {
      if (client.isMutating(refreshes) === 0) refresh.mutate({ kind, id, name })
    },
  }
}
