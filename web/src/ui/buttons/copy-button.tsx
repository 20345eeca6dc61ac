import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useCommand } from '#web/ui/keys/commands.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import classes from './copy-button.module.css'

type CopyButtonProps = {
  text: string
  label: string
  of?: string
  /** On phones the icon alone is shown. */
  isSmall?: boolean
}

/**
 * Copies text, and reports a failure, which Mantine's own button does not. Browsers copy only on https and localhost.
 * `of` names the text for screen readers.
 */
export const CopyButton = ({ text, label, of, isSmall = false }: CopyButtonProps) => {
  const { copy, copied, error } = useClipboard()
  useEffect(() => {
    if (error) toasts.error('This browser does not let the page copy. Select the text instead.')
  }, [error])
  useCommand(of ? `${label} ${of}` : label, () => copy(text))
  return (
    <Button
      variant="default"
      className={(isSmall && classes.small) || ''}
      {...(isSmall && { title: label })}
      leftSection={copied ? <IconCheck size={18} stroke={1.5} /> : <IconCopy size={18} stroke={1.5} />}
      onClick={() => copy(text)}
    >
      <span aria-live="polite" className={classes.label}>
        {copied ? 'Copied' : label}
      </span>
      {of && <span className="visually-hidden"> ({of})</span>}
    </Button>
  )
}
