import { Anchor, type AnchorProps } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { BASE, getFile } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { toasts } from '#web/ui/states/toasts.tsx'

type DownloadLinkProps = AnchorProps & { path: string; title?: string; children: ReactNode }

/** A link to a file of the API. It is fetched by a call of the page, which names the page's account. */
export function DownloadLink({ path, ...anchor }: DownloadLinkProps) {
  const download = (event: MouseEvent) => {
    event.preventDefault()
    getFile(path).then(saveFile, (failure) => toasts.failure(failure, 'The file could not be downloaded'))
  }
  return <Anchor href={BASE + path} download onClick={download} {...anchor} />
}
