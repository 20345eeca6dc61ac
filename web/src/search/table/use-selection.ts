import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'

/** As many records as one act changes. */
export const SELECTED_MAX = 500

/** The rows that a person has selected. Those that leave the list are no longer selected. */
export function useSelection(ids: string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(undefined)
  const selected = ids.filter((id) => chosen.has(id))
  const set = (next: Iterable<string>) => setChosen(new Set([...next].slice(0, SELECTED_MAX)))

  const toggle = (id: string, isOn: boolean) => {
    anchor.current = id
    set(isOn ? [...selected, id] : selected.filter((one) => one !== id))
  }
  /** All rows from the one that was chosen last. */
  const extend = (id: string) => {
    const [from, to] = [ids.indexOf(anchor.current ?? id), ids.indexOf(id)].sort((a, b) => a - b) as [number, number]
    set(new Set([...selected, ...ids.slice(Math.max(0, from), to + 1)]))
  }
  return {
    selected,
    isFull: selected.length >= SELECTED_MAX,
    isSelected: (id: string) => chosen.has(id),
    clear: () => setChosen(new Set()),
    selectAll: () => set(ids),
    /** Props of the checkbox of a row: Shift selects all rows from the last one, arrows go to the next box. */
    boxOf: (id: string) => ({
      checked: chosen.has(id),
      onClick: ({ shiftKey }: MouseEvent) => shiftKey && extend(id),
      onChange: ({ currentTarget, nativeEvent }: { currentTarget: HTMLInputElement; nativeEvent: Event }) => {
        if (!(nativeEvent as unknown as MouseEvent).shiftKey) toggle(id, currentTarget.checked)
      },
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        const next = ids[ids.indexOf(id) + step]
        if (next === undefined) return
        if (event.shiftKey) {
          anchor.current ??= id
          extend(next)
        }
        const box = event.currentTarget.closest('table')?.querySelector<HTMLElement>(`[data-box="${CSS.escape(next)}"]`)
        box?.focus()
      },
    }),
  }
}
