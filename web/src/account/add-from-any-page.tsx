import { Button, Group, Text } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { kinds } from '#web/kinds.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { toasts } from '#web/ui/toasts.tsx'
import { bookmarklet } from './bookmarklet.ts'
import { Section } from './section.tsx'

/** Bookmarks that add a record from the open page. */
export const AddFromAnyPage = () => (
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
