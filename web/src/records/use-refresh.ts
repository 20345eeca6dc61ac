import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { toasts } from '#web/ui/toasts.tsx'

type Refreshable = { id: string; name: string }
/** The answer to `refresh`, whatever was found. */
type RefreshAnswer =
  | { success: true; notice?: string | undefined }
  | { success: true; pending: true }
  | { success: false; error: string }

type RefreshOptions = {
  run: (id: string) => Promise<RefreshAnswer>
  success: (name: string) => string
  failure: string
  /** Brings what was found of the record onto the page. */
  reload: (id: string) => Promise<unknown>
}

/** `id` is the one being refreshed from here; `isBusy` is true wherever the running refresh was started. */
export type Refreshing = { id: string | null; isBusy: boolean; start: (record: Refreshable) => void }

const refreshes = { mutationKey: ['refresh'] }

/** Refreshing a record from its page: one at a time, of whatever kind, and in words. */
export const useRefresh = ({ run, success, failure, reload }: RefreshOptions): Refreshing => {
  const client = useQueryClient()
  const isBusy = useIsMutating(refreshes) > 0
  const refresh = useMutation({
    ...refreshes,
    mutationFn: async ({ id, name }: Refreshable) => {
      const done = toasts.loading(`Refreshing ${name}…`)
      try {
        return await run(id)
      } finally {
        done()
      }
    },
    onSuccess: async (answer, { id, name }) => {
      if (!answer.success) return toasts.info(answer.error)
      if ('pending' in answer)
        return toasts.info(`Still looking for news of ${name}. What is found will be shown here.`)
      toasts.success(success(name))
      if (answer.notice) toasts.info(answer.notice)
      await reload(id)
    },
    meta: { failure },
  })
  return {
    id: refresh.isPending ? refresh.variables.id : null,
    isBusy,
    start: (record) => {
      if (client.isMutating(refreshes) === 0) refresh.mutate(record)
    },
  }
}
