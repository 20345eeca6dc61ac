import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { toasts } from './toasts.tsx'

const SAYS_SO_FOR = 2000

/** Puts text where it can be pasted from, and says so. Browsers allow it on https and on one's own machine only. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), SAYS_SO_FOR)
    } catch {
      toasts.error('This browser does not let the page copy. Select the text instead.')
    }
  }
  return (
    <Button
      variant="default"
      leftSection={isCopied ? <IconCheck size={18} stroke={1.5} /> : <IconCopy size={18} stroke={1.5} />}
      onClick={copy}
    >
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  )
}
