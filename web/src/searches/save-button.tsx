import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RecordKind } from '#web/records/kind.ts'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'

const SearchDialog = lazyPart(
  'The form could not be loaded.',
  async () => (await import('./search-dialog.tsx')).SearchDialog,
)

/** Saves the list that the address shows. */
export function SaveButton({ kind, label = 'Save' }: { kind: RecordKind; label?: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <ChangeActs>
      <Button variant="subtle" size="xs" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <SearchDialog kind={kind} onClose={close} onCloseFailed={close} />}
    </ChangeActs>
  )
}
