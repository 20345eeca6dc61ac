import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { IMPORT_BYTES_MAX } from '#contract/import.ts'
import { uploadFile } from '#web/import/api.ts'
import { sentenceOf } from '#web/lib/http.ts'
import { useOwner } from '#web/session/use-current-user.ts'

type UploadOptions = { onUploaded: (id: string, file: File) => void; onCancelled: () => void }

/** Uploads a file, one at a time. */
export function useUpload({ onUploaded, onCancelled }: UploadOptions) {
  const upload = useMutation(uploadFile(useOwner()))
  const [share, setShare] = useState(0)
  const [tooLarge, setTooLarge] = useState(false)
  const running = useRef<AbortController>(null)

  const send = (file: File | null | undefined) => {
    if (!file || upload.isPending) return
    setTooLarge(file.size > IMPORT_BYTES_MAX)
    upload.reset()
    if (file.size > IMPORT_BYTES_MAX) return
    setShare(0)
    const controller = new AbortController()
    running.current = controller
    upload.mutate(
      { file, signal: controller.signal, onProgress: setShare },
      { onSuccess: ({ id }) => onUploaded(id, file) },
    )
  }

  const cancel = () => {
    running.current?.abort()
    upload.reset()
    onCancelled()
  }

  return {
    send,
    cancel,
    isPending: upload.isPending,
    file: upload.variables?.file,
    share,
    problem: tooLarge
      ? 'This file is larger than 50 MB. Split it.'
      : upload.error && sentenceOf(upload.error, "We couldn't upload this file. Try again."),
  }
}
