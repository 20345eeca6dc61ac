import { useEffect, useEffectEvent } from 'react'
import { withStorage } from '#web/lib/storage.ts'
import { charactersOf, hasModifier, type Modifiers } from './characters.ts'
import { useCommand } from './commands.ts'

const SETTING = 'single-keys'

/** Whether single keys act. A setting of this browser. */
export const singleKeys = {
  areOn: () => withStorage(() => localStorage.getItem(SETTING)) !== 'off',
  set: (isOn: boolean) =>
    withStorage(() => (isOn ? localStorage.removeItem(SETTING) : localStorage.setItem(SETTING, 'off'))),
}

/** Where a key is typed, or has a meaning of its own. */
export const OWN_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=menu], [role=listbox], [role=radiogroup]'
const OPEN_DIALOG = ':is([role=dialog], [role=alertdialog]):not([data-closing]), dialog[open]'

/** Whether a dialog is open, whose keys are its own. */
export const isDialogOpen = () => document.querySelector(OPEN_DIALOG) !== null

/**
 * Runs the action when this key is pressed without modifiers, outside fields, dialogs, menus and groups of radios. With
 * a label it is also in the command palette.
 */
export function useSingleKey(key: string, action: (() => void) | undefined, label?: string) {
  useCommand(label, action, key)
  useKeys((event) => isPressed(event, key), action)
}

/** The same for a digit. */
export const useDigitKeys = (action: ((digit: number) => void) | undefined) =>
  useKeys((event) => digitOf(event) !== undefined, action && ((event) => action(digitOf(event) ?? 0)))

/** The digit that is pressed without modifiers. */
export const digitOf = (event: Pick<KeyboardEvent, 'key' | 'code'> & Modifiers): number | undefined => {
  const digit = hasModifier(event) ? undefined : charactersOf(event).find((character) => /^\d$/.test(character))
  return digit === undefined ? undefined : Number(digit)
}

function useKeys(isMeant: (event: KeyboardEvent) => boolean, action: ((event: KeyboardEvent) => void) | undefined) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!action || event.defaultPrevented || !isMeant(event) || !singleKeys.areOn()) return
    if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return
    if (isDialogOpen()) return
    event.preventDefault()
    action(event)
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** A letter also with Caps Lock. Shift counts as a modifier of letters only, because `?` needs it. */
const isPressed = (event: KeyboardEvent, wanted: string) => {
  const isShifted = event.shiftKey && /^[a-z]$/.test(wanted)
  return !isShifted && !hasModifier(event) && charactersOf(event).includes(wanted)
}
