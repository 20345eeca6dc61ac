import { Button, Group, Skeleton, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { InformationLetter, UninformedFounder } from '#contract/informing.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { getLetter } from './api.ts'
import { mailAddress } from './mail-address.ts'

type LetterDialogProps = { founder: UninformedFounder; onSent: () => void; onEnd: () => void }

/** The letter to a founder, to copy or to open in the mail program. Sourcebook does not send it. */
export function LetterDialog({ founder, onSent, onEnd }: LetterDialogProps) {
  const { data, error, refetch } = useQuery(getLetter(founder.id))
  return (
    <Modal opened onClose={onEnd} withCloseButton={false} centered size={640}>
      <Modal.Title fw={600} mb={4}>
        Letter to <bdi>{founder.name}</bdi>
      </Modal.Title>
      {data && <Letter id={founder.id} letter={data} onSent={onSent} onEnd={onEnd} />}
      {!data && error && <ErrorState title="The letter could not be loaded" error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={420} aria-label="Loading the letter" role="status" />}
    </Modal>
  )
}

type LetterProps = { id: string; letter: InformationLetter; onSent: () => void; onEnd: () => void }

/** A changed text is kept until the letter is marked as sent. */
function Letter({ id, letter, onSent, onEnd }: LetterProps) {
  const { values: text, change: setText, discard } = useDraft(`letter to ${id}`, letter.text)
  const markAsSent = () => {
    discard()
    onSent()
  }
  return (
    <>
      <Text size="sm" mb="sm">
        To <bdi>{letter.to ?? 'an address that you know'}</bdi>: {letter.subject}
      </Text>
      <Textarea
        label="Text"
        description="Change what is different in your programme. Sourcebook does not send it."
        autosize
        minRows={8}
        maxRows={16}
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={onEnd}>
          Close
        </Button>
        <CopyButton text={text} label="Copy" of="the letter" />
        <Button component="a" variant="default" href={mailAddress({ ...letter, text })}>
          Open in mail
        </Button>
        <Button onClick={markAsSent}>Mark as sent</Button>
      </Group>
    </>
  )
}
