import { useMutation } from '@tanstack/react-query'
import { toasts } from '#web/ui/toasts.tsx'

type Refreshable = { id: string; name: string }
type RefreshAnswer = { success: true; pending?: true } | { success: false; error: string }

type RefreshOptions = {
  run: (id: string) => Promise<RefreshAnswer>
  success: (name: string) => string
  failure: string
  /** Brings what was found onto the page. */
  reload: () => Promise<unknown>
}

export type Refreshing = { id: string | null; start: (record: Refreshable) => void }

/** Refreshing a record from its page: one at a time, and in words. */
export const useRefresh = ({ run, success, failure, reload }: RefreshOptions): Refreshing => {
  const refresh = useMutation({
    mutationFn: async ({ id, name }: Refreshable) => {
      const done = toasts.loading(`Refreshing ${name}…`)
      try {
        return await run(id)
      } finally {
        done()
      }
    },
    onSuccess: async (answer, { name }) => {
      if (!answer.success) return toasts.inform(answer.error)
      if (answer.pending) return toasts.inform(`Still looking for news of ${name}. What is found will be shown here.`)
      toasts.success(success(name))
      await reload()
    },
    meta: { failure },
  })
  return {
    id: refresh.isPending ? refresh.variables.id : null,
    start: (record) => {
      if (!refresh.isPending) refresh.mutate(record)
    },
  }
}
