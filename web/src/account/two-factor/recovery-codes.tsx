import { saveFile } from '#web/lib/save-file.ts'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import '#web/ui/touch-targets.css'
import { Button, Checkbox, Group, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import classes from '#web/account/account.module.css'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'

/** Shown only once: the server keeps only hashes. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const [areKept, setKept] = useState(false)
  const text = codes.join('\n')
  return (
    <div className={classes.form}>
      <div>
        <Title order={3} size="h4" ref={focusWhenShown} tabIndex={-1}>
          Your recovery codes
        </Title>
        <Text size="sm">
          Two-factor sign-in is on. Without your phone, each of these codes signs you in once. They are not shown again:
          keep them where you will find them.
        </Text>
      </div>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton text={text} label="Copy all" />
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.5} />}
          onClick={() => saveFile(fileOf(text))}
        >
          Download
        </Button>
      </Group>
      <Checkbox
        label="I have saved them"
        checked={areKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <div>
        <Button disabled={!areKept} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}

const fileOf = (codes: string) =>
  new File([`Recovery codes of Sourcebook\n\n${codes}\n`], 'sourcebook-recovery-codes.txt', { type: 'text/plain' })
