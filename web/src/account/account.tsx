import '@mantine/core/styles/Switch.css'
import '#web/ui/touch-targets.css'
import { Button, Group, Paper, Skeleton, Switch, Text } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { kinds } from '#web/kinds.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { singleKeys } from '#web/ui/keys/use-single-key.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import classes from './account.module.css'
import { account } from './api.ts'
import { bookmarklet } from './bookmarklet.ts'
import { DigestSection } from './digest-section.tsx'
import { Password } from './password.tsx'
import { ProfileSection } from './profile-section.tsx'
import { Section } from './section.tsx'
import { Sessions } from './sessions.tsx'
import { TokensSection } from './tokens/tokens-section.tsx'
import { TwoFactor } from './two-factor/two-factor.tsx'

export const Account = () => {
  const { data, error, isPending, refetch } = useQuery(account)
  if (isPending) return <AccountSkeleton />
  if (!data) return <ErrorState title="Your account could not be loaded" error={error} retry={refetch} />
  return (
    <div className={classes.sections}>
      <ProfileSection {...data} />
      <Password {...data} />
      <TwoFactor {...data} />
      <DigestSection />
      <TokensSection />
      <AddFromAnyPage />
      <KeysSection />
      <Sessions {...data} />
    </div>
  )
}

const HEIGHTS = [190, 208, 64, 96]

/** Placeholders for the sections while the account loads. */
const AccountSkeleton = () => (
  <div className={classes.sections} aria-busy="true">
    <span role="status" className="visually-hidden">
      Loading
    </span>
    {HEIGHTS.map((height) => (
      <Paper key={height} withBorder className={classes.section}>
        <Skeleton height={20} width={140} />
        <Skeleton height={height} />
      </Paper>
    ))}
  </div>
)

/** Bookmarks that add a record from the open page. */
const AddFromAnyPage = () => (
  <Section title="Add from any page">
    <Text size="sm" maw="70ch">
      Drag a button to your bookmarks bar, or copy its code as the address of a new bookmark. On any page, the bookmark
      opens the form here with the page's title, its address and the text that you have selected. On LinkedIn it takes
      the title and the address only. Nothing is saved before you add it.
    </Text>
    {kinds.map((kind) => (
      <Bookmark key={kind.name} kind={kind} />
    ))}
  </Section>
)

const Bookmark = ({ kind }: { kind: RecordKind }) => {
  const label = `Add ${kind.label} to Sourcebook`
  const code = bookmarklet(kind, location.origin)
  return (
    <Group gap="xs">
      <Button
        component="a"
        // React refuses such an address in `href`. The content security policy refuses a click on it, not the drag.
        ref={(link: HTMLAnchorElement | null) => link?.setAttribute('href', code)}
        variant="light"
        leftSection={<IconBookmark size={18} stroke={1.5} />}
        onClick={(event) => {
          event.preventDefault()
          toasts.info('Drag this button to your bookmarks bar')
        }}
      >
        {label}
      </Button>
      <CopyButton text={code} label="Copy code" of={label} />
    </Group>
  )
}

/** Switches the shortcuts of a single key off on this device, for people who speak to their computer, for example. */
const KeysSection = () => {
  const [areOn, setOn] = useState(singleKeys.areOn)
  const change = (isOn: boolean) => {
    singleKeys.set(isOn)
    setOn(isOn)
  }
  return (
    <Section title="Keyboard">
      <Switch
        label="Single-key shortcuts"
        description="Keys such as / and J act without Ctrl or ⌘. This setting is stored on this device."
        checked={areOn}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </Section>
  )
}
