import { Anchor, Text } from '@mantine/core'

/** Explains why a form is not empty. */
export const DraftRestoredHint = ({ startOver }: { startOver: () => void }) => (
  <Text role="status" size="sm" c="dimmed">
    We restored your draft.{' '}
    <Anchor component="button" type="button" size="sm" onClick={startOver}>
      Start over
    </Anchor>
  </Text>
)
