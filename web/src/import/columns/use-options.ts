import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Import, ImportPatch } from '#contract/import.ts'
import { changeImport } from '#web/import/api.ts'

/**
 * The options of an import as the person wants them. A change is sent immediately; while the server reads the file, it
 * takes none, so changes of that time are sent together afterwards.
 */
export function useOptions(shown: Import) {
  const { mutate, isPending, error, reset } = useMutation(changeImport(shown))
  const [wanted, setWanted] = useState<ImportPatch>()
  const sent = useRef<ImportPatch>(undefined)
  const takesChanges = shown.state !== 'reading' && !isPending

  useEffect(() => {
    if (wanted === undefined || wanted === sent.current || !takesChanges) return
    sent.current = wanted
    mutate(wanted, { onSuccess: () => setWanted((now) => (now === wanted ? undefined : now)) })
  }, [wanted, takesChanges, mutate])

  return {
    options: { ...shown, ...(wanted as Partial<Import>) },
    change: (patch: ImportPatch) => {
      if (error) reset()
      setWanted((before) => ({ ...before, ...patch }))
    },
    error,
    // A change that waits is sent in the next moment, so the person cannot continue in between.
    isBusy: isPending || shown.state === 'reading' || (wanted !== undefined && !error),
  }
}
