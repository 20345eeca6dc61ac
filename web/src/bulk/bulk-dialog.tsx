import { Button, Group } from '@mantine/core'
import { NONE } from '#web/fellows/api.ts'
import { FellowSelect } from '#web/fellows/fellow-select.tsx'
import { useSignIn } from '#web/session/use-current-user.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { TagInput } from '#web/tags/tag-input.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { useAfterMount } from '#web/ui/dialogs/use-after-mount.ts'
import type { BulkSet } from './api.ts'
import classes from './bulk.module.css'

type BulkDialogProps = {
  what: 'tag' | 'responsible'
  /** `12 founders`. */
  about: string
  isBusy: boolean
  start: (set: BulkSet) => Promise<boolean>
  onClose: () => void
}

/** Asks for the tag or the fellow of the selected records. */
export function BulkDialog({ what, about, isBusy, start, onClose }: BulkDialogProps) {
  const [isOpen = false, setOpen] = useAfterMount<boolean>(true)
  const { account } = useSignIn()
  const tag = useDraft('tag of many', { text: '' })
  const run = async (set: BulkSet) => {
    const isDone = await start(set)
    if (isDone) setOpen(false)
    return isDone
  }
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      onExitTransitionEnd={onClose}
      withCloseButton={false}
      closeOnEscape={false}
      centered
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <Modal.Title fw={600} lh={1.4} mb={12}>
        {what === 'tag' ? `Add a tag to ${about}` : `Who is responsible for ${about}?`}
      </Modal.Title>
      {what === 'tag' ? (
        <TagInput
          draft={tag}
          label={`Tag for ${about}`}
          taken={[]}
          isBusy={isBusy}
          onTag={(addTag) => run({ addTag })}
          onEnd={() => setOpen(false)}
        />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the dialog, unless a list in it is open
        <div
          onKeyDown={(event) => {
            const isInList = event.target instanceof HTMLElement && event.target.ariaExpanded === 'true'
            if (event.key === 'Escape' && !isInList) setOpen(false)
          }}
        >
          <FellowSelect
            label="Responsible fellow"
            value=""
            placeholder="Choose a fellow"
            none="No responsible fellow"
            autoFocus
            onChange={(id) => id !== '' && void run({ responsible: id === NONE ? null : id })}
          />
        </div>
      )}
      <Group mt="md" justify="flex-end">
        {what === 'responsible' && account !== '' && (
          <Button variant="default" disabled={isBusy} onClick={() => void run({ responsible: account })}>
            Me
          </Button>
        )}
        <Button variant="default" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </Group>
    </Modal>
  )
}
