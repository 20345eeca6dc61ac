import { Anchor, Text } from '@mantine/core'

/** Explains that a link has filled in a form, or offers to. */
export const LinkHint = ({ text, act, onAct }: { text: string; act: string; onAct: () => void }) => (
  <Text role="status" size="sm" c="dimmed">
    {text}{' '}
    <Anchor component="button" type="button" size="sm" onClick={onAct}>
      {act}
    </Anchor>
  </Text>
)
