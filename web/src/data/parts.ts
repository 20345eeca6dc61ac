import type { RightName } from '#contract/rights.ts'
import { paths } from '#web/paths.ts'
import { useRights } from '#web/session/use-rights.ts'

/** The parts of *Data*. Each has the address that it had as a screen of its own. */
export const dataParts: readonly { to: string; label: string; right?: RightName }[] = [
  { to: paths.duplicates, label: 'Duplicates' },
  { to: paths.import, label: 'Import', right: 'change' },
  { to: paths.export, label: 'Export' },
  { to: paths.changes, label: 'Recent changes' },
]

/** Those that the person may open. */
export function useDataParts() {
  const may = useRights()
  return dataParts.filter(({ right }) => right === undefined || may(right))
}
