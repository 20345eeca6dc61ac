import { Button } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useRights } from '#web/session/use-rights.ts'
import classes from './notes-preview.module.css'
import { useOpenNotes } from './notes-provider.tsx'

/** Opens the notes of a record with the box for a new one. Only an icon on a narrow card. */
export const AddNoteButton = ({ kind, record }: { kind: RecordKind; record: RecordRow }) => {
  const openNotes = useOpenNotes()
  const mayChange = useRights()('change')
  return (
    mayChange && (
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.add ?? ''}
        aria-label={`Add a note on ${record.name}`}
        onClick={() => openNotes({ kind, id: record.id, record })}
      >
        <IconMessagePlus size={20} stroke={1.5} />
        <span className={classes.word}>Add a note</span>
      </Button>
    )
  )
}
