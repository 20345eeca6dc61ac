import { Anchor, Text } from '@mantine/core'

/** Says quietly that a form is not empty, and why. */
export const DraftRestoredHint = ({ startOver }: { startOver: () => void }) => (
  <Text role="status" size="sm" c="dimmed">
    What you had typed is here again.{' '}
    <Anchor component="button" type="button" size="sm" onClick={startOver}>
      Start over
    </Anchor>
  </Text>
)
