import { Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { type Field, isProse } from '#contract/fields.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { CorrectionForm } from './correction-form.tsx'
import classes from './editable-field.module.css'
import { isCorrectable } from './fields.ts'
import { useCorrection } from './use-correction.ts'

type EditableFieldProps = {
  kind: RecordKind
  record: RecordRow
  field: Field
  account: string
  /** The value to read. */
  children: ReactNode
}

/** A value that becomes a form in place for those who may edit the record. An empty one is offered to them. */
export function EditableField({ kind, record, field, account, children }: EditableFieldProps) {
  const correction = useCorrection(kind, record, field, account)
  const [hasEdited, setEdited] = useState(false)
  const mayEdit = record.can.edit && isCorrectable(field)
  const begin = () => {
    setEdited(true)
    correction.begin()
  }

  if (correction.draft)
    return <CorrectionForm kind={kind} record={record} field={field} correction={correction} takesFocus={hasEdited} />
  const isEmpty = valueIn(record, field) === ''
  if (!mayEdit) return isEmpty ? null : children
  // After the form closes, the focus returns here.
  const ref = hasEdited ? focusWhenShown : null
  if (isEmpty)
    return (
      <Button
        ref={ref}
        variant="subtle"
        size="compact-sm"
        className={classes.add ?? ''}
        leftSection={<IconPlus size={14} stroke={1.5} />}
        onClick={begin}
      >
        Add {articleOf(field.label)} {field.label}
      </Button>
    )
  const beginByClick = (event: MouseEvent) => {
    const isOnOther = event.target instanceof Element && event.target.closest('a, button') !== null
    if (!isOnOther && (getSelection()?.isCollapsed ?? true)) begin()
  }
  return (
    // The button does the same for the keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      className={classes.root}
      data-beside={field.content === 'address' || isProse(field) || undefined}
      onClick={beginByClick}
    >
      {children}
      <button
        ref={ref}
        type="button"
        className={classes.edit}
        aria-label={`Edit the ${field.label} of ${record.name}`}
        onClick={begin}
      >
        <IconPencil size={16} stroke={1.5} aria-hidden="true" />
      </button>
    </div>
  )
}

const articleOf = (label: string) => (/^[aeio]/i.test(label) ? 'an' : 'a')
