import { use } from 'react'
import type { Similar } from '#contract/duplicates.ts'
import { SimilarRecords } from '#web/duplicates/similar-records.tsx'
import { drafts } from '#web/lib/drafts.ts'
import { type AddLinkedProps, addDraftOf } from '#web/links/link-record-props.ts'
import { AddForm } from '#web/records/form/add-form.tsx'
import { useOwner } from '#web/session/use-current-user.ts'
import { confirm, discardConfirmation } from '#web/ui/dialogs/confirm.ts'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { useAfterMount } from '#web/ui/dialogs/use-after-mount.ts'

/** The form that adds a record, as a dialog, for a link to it. A similar record can be linked in its place. */
export function AddLinked({ own, linkedKind, name, isOpen, onAdded, onClose, onClosed }: AddLinkedProps) {
  const account = useOwner()
  const form = use(linkedKind.loadForm())
  const draft = addDraftOf(own, linkedKind)
  const [isShown = false] = useAfterMount(isOpen)
  const choose = async (record: Similar) => {
    const place = { account, form: draft.form }
    if (drafts.read(place) !== null && !(await confirm(discardConfirmation))) return
    drafts.discard(place)
    onAdded(record)
  }
  return (
    <AddForm<Similar>
      kind={linkedKind}
      form={{ ...form, empty: { ...form.empty, name } }}
      account={account}
      draft={draft}
      onAdded={onAdded}
      onCancelled={onClose}
      similar={(about) => (
        <SimilarRecords kind={linkedKind} {...about} choice={{ label: 'Link', onChoose: (one) => void choose(one) }} />
      )}
      frame={(content, cancel) => (
        <Modal
          opened={isShown}
          onClose={cancel}
          onExitTransitionEnd={onClosed}
          withCloseButton={false}
          yOffset="8dvh"
          size={560}
          zIndex={300}
          padding={0}
          transitionProps={{ duration: 150 }}
        >
          <Modal.Title component="h2" fw={600} lh={1.5} px={{ base: 16, xs: 24 }} pt={24}>
            Add {linkedKind.label}
          </Modal.Title>
          {content}
        </Modal>
      )}
    />
  )
}
