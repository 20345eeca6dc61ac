import { useClickOutside, useFocusTrap, useMergedRef } from '@mantine/hooks'
import { type ReactNode, type RefObject, useState } from 'react'
import type { RecordKind } from '#web/records/kind.ts'
import { useCloseOnBack } from '#web/ui/dialogs/close-on-back.tsx'
import { SheetDialog } from '#web/ui/dialogs/sheet-dialog.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import type { Finding } from '../use-finding.ts'
import { FilterForm } from './filter-form.tsx'
import classes from './filter-panel.module.css'

type FilterPanelProps = {
  kind: RecordKind
  finding: Finding
  isEmpty: boolean
  opener: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** The filters, below their button on wide screens and as a sheet from below on phones. */
export function FilterPanel({ opener, onClose, ...form }: FilterPanelProps) {
  const isPhone = useIsPhone()
  useCloseOnBack(isPhone, onClose)
  if (!isPhone)
    return (
      <Popover opener={opener} onClose={onClose}>
        <FilterForm {...form} />
      </Popover>
    )
  return (
    <SheetDialog title="Filters" status="" closeLabel="Close filters" isOpen onClose={onClose} onClosed={() => {}}>
      <FilterForm {...form} />
    </SheetDialog>
  )
}

type PopoverProps = Pick<FilterPanelProps, 'opener' | 'onClose'> & { children: ReactNode }

function Popover({ opener, onClose, children }: PopoverProps) {
  const [panel, setPanel] = useState<HTMLElement | null>(null)
  useClickOutside(onClose, ['pointerdown'], [opener.current, panel])
  const ref = useMergedRef(useFocusTrap(), setPanel)
  return (
    <div
      ref={ref}
      role="dialog"
      aria-label="Filters"
      className={classes.panel}
      onKeyDown={(event) => {
        // Escape in an open list of fellows closes that list only.
        const isInList = event.target instanceof HTMLElement && event.target.ariaExpanded === 'true'
        if (event.key === 'Escape' && !isInList) onClose()
      }}
    >
      {children}
    </div>
  )
}
