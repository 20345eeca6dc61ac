import { useQuery } from '@tanstack/react-query'
import { isAdvance, type Status, statuses, statusWords } from '#contract/status.ts'
import { getRights } from '#web/session/api.ts'

export type StatusChoice = { value: Status; label: string; disabled: boolean }

/** The statuses to choose from. Those that only managers may set, or take back, are disabled for a fellow. */
export function useStatusChoices(current: Status | undefined, isShown = true): StatusChoice[] {
  const mayAdvance = useQuery({ ...getRights, enabled: isShown }).data?.advance.allowed ?? true
  return statuses.map((value) => {
    const label = value === 'passed' && current !== 'passed' ? 'Pass…' : statusWords[value]
    const disabled = !mayAdvance && current !== undefined && isAdvance(current, value)
    return { value, label: disabled ? `${label} (managers only)` : label, disabled }
  })
}
