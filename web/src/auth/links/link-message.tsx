import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { focusWhenShown } from '#web/ui/focus.ts'

/** The result of opening a link. It takes the focus, so that screen readers announce it. */
export const LinkMessage = ({ title, text }: { title: string; text?: ReactNode }) => (
  <div>
    <Title order={2} size="h3" ref={focusWhenShown} tabIndex={-1}>
      {title}
    </Title>
    {text && (
      <Text size="sm" mt={4}>
        {text}
      </Text>
    )}
  </div>
)

/** A link may be of another account than the signed-in one. */
export const SignedInAs = ({ current }: { current: string }) =>
  current !== '' && (
    <>
      You are signed in as <bdi>{current}</bdi>. A link that was sent to another address is for the account of that one.
    </>
  )
