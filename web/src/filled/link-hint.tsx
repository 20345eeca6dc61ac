import { Anchor, Text } from '@mantine/core'

type LinkHintProps = { text?: string; act: string; onAct: () => void }

/** Says that a link has filled in a form, or offers to. */
export const LinkHint = ({ text = 'Filled in by a link.', act, onAct }: LinkHintProps) => (
  <Text role="status" size="sm" c="dimmed">
    {text}{' '}
    <Anchor component="button" type="button" size="sm" onClick={onAct}>
      {act}
    </Anchor>
  </Text>
)
