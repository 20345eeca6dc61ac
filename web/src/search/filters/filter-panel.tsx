import { useClickOutside, useFocusTrap, useMergedRef } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { OfferedFilter } from '#contract/filters.ts'
import { useCloseOnBack } from '#web/ui/dialogs/close-on-back.ts'
import { SheetDialog } from '#web/ui/dialogs/sheet-dialog.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import type { ControlProps } from './control-props.ts'
import { controls } from './controls.tsx'
import classes from './filter-panel.module.css'

type FilterPanelProps = ControlProps & {
  title: string
  /** Those that have a control here. */
  names: OfferedFilter[]
  opener: HTMLButtonElement | null
  onClose: () => void
  /** Below the controls, in narrow windows. */
  children?: ReactNode
}

/**
 * The controls of a chip, below the chips on wide screens and as a sheet from below on phones. Each change is applied to the list
 * immediately.
 */
export function FilterPanel({ title, names, opener, onClose, children, ...values }: FilterPanelProps) {
  const isPhone = useIsPhone()
  useCloseOnBack(isPhone, onClose)
  const fields = (
    <div className={classes.fields}>
      {names.map((name) => {
        const Control = controls[name]
        return Control && <Control key={name} {...values} />
      })}
      {children && <div className={classes.foot}>{children}</div>}
    </div>
  )
  if (!isPhone)
    return (
      <Popover title={title} opener={opener} onClose={onClose}>
        {fields}
      </Popover>
    )
  return (
    <SheetDialog title={title} status="" closeLabel="Close filters" isOpen onClose={onClose} onClosed={() => {}}>
      {fields}
    </SheetDialog>
  )
}

type PopoverProps = Pick<FilterPanelProps, 'title' | 'opener' | 'onClose'> & { children: ReactNode }

function Popover({ title, opener, onClose, children }: PopoverProps) {
  const [panel, setPanel] = useState<HTMLElement | null>(null)
  useClickOutside(onClose, ['pointerdown'], [opener, panel])
  const ref = useMergedRef(useFocusTrap(), setPanel)
  const start = opener?.closest('li')?.offsetLeft ?? 0
  return (
    <div
      ref={ref}
      role="dialog"
      aria-label={title}
      className={classes.panel}
      style={{ insetInlineStart: `max(0px, min(${start}px, 100% - 400px))` }}
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
