import { Paper } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { drafts } from '#web/lib/drafts.ts'
import { whenIdle } from '#web/lib/idle.ts'
import type { OpenEdits } from '#web/my-records/use-open-edits.ts'
import { recordPath } from '#web/paths.ts'
import { PanelRow } from '#web/pipeline/panel/panel-row.tsx'
import { PipelinePanel } from '#web/pipeline/panel/pipeline-panel.tsx'
import { PipelineValues } from '#web/pipeline/panel/pipeline-values.tsx'
import { Rating } from '#web/records/card/rating.tsx'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { useRights } from '#web/session/use-rights.ts'
import { RecordTags } from '#web/tags/record-tags.tsx'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { focusWhenLost } from '#web/ui/focus.ts'
import { useSingleKey } from '#web/ui/keys/use-single-key.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { RecordAbout, RecordFacts } from './facts/record-facts.tsx'
import { fieldsDraftOf } from './facts/use-fields-draft.ts'
import { FollowMenu } from './follow-menu.tsx'
import { MergeWith } from './merge-with.tsx'
import classes from './record-head.module.css'
import { RecordMenu } from './record-menu.tsx'
import type { PartProps } from './record-part.tsx'

const FieldsDialog = lazyPart(
  'The form could not be loaded.',
  async () => (await import('./facts/fields-dialog.tsx')).FieldsDialog,
)

/** Who or what the record is, and where it stands, in one look: on phones before everything else. */
export function RecordHead({ edits, ...props }: PartProps & { edits: OpenEdits }) {
  const { kind, record, account } = props
  const mayEdit = record.can.edit
  const mayChange = useRights()('change')
  const [isMerging, setMerging] = useState(false)
  // What was typed into the form is in it again when the page is opened.
  const [isEditing, setEditing] = useState(() => drafts.read({ account, form: fieldsDraftOf(record) }) !== null)
  const [hasEdited, setEdited] = useState(isEditing)
  const menu = useRef<HTMLButtonElement>(null)
  const edit = () => {
    setEditing(true)
    setEdited(true)
  }
  const endEditing = () => setEditing(false)
  useSingleKey('e', mayEdit ? edit : undefined, 'Edit all fields…')
  useEffect(() => (mayEdit ? whenIdle(FieldsDialog.preload) : undefined), [mayEdit])
  const endMerging = () => {
    setMerging(false)
    menu.current?.focus()
  }
  return (
    <Paper withBorder component="section" className={classes.root} aria-label={`About ${record.name}`}>
      <div className={classes.who}>
        <RecordAvatar name={record.name} picture={kind.brief(record).picture} size={56} square={kind.isSquare} />
        <RecordFacts {...props} />
        <div className={classes.acts}>
          <FollowMenu record={record} />
          <CopyButton text={new URL(recordPath(kind, record), location.origin).href} label="Copy link" isSmall />
          <ChangeActs>
            <RecordMenu
              {...{ ref: menu, kind, record, edits }}
              onEdit={mayEdit ? edit : undefined}
              onMerge={() => setMerging(true)}
            />
          </ChangeActs>
        </div>
      </div>
      <section className={classes.panel} aria-label="Pipeline">
        <PanelRow label="Rating">
          <Rating record={record} />
        </PanelRow>
        {mayChange ? <PipelinePanel kind={kind} record={record} /> : <PipelineValues record={record} />}
      </section>
      <section className={classes.tags} aria-label="Tags">
        <PanelRow label="Tags">
          <RecordTags kind={kind} record={record} />
        </PanelRow>
      </section>
      <div className={classes.about}>
        {isMerging && <MergeWith kind={kind} record={record} onEnd={endMerging} />}
        <RecordAbout {...props} />
      </div>
      {hasEdited && (
        <FieldsDialog
          {...{ kind, record }}
          isOpen={isEditing}
          onClose={endEditing}
          onClosed={() => requestAnimationFrame(() => focusWhenLost(menu.current))}
          onCloseFailed={endEditing}
        />
      )}
    </Paper>
  )
}
