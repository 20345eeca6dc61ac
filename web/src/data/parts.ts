import { paths } from '#web/paths.ts'

/** The parts of *Data*. Each has the address that it had as a screen of its own. */
export const dataParts = [
  { to: paths.duplicates, label: 'Duplicates' },
  { to: paths.import, label: 'Import' },
  { to: paths.export, label: 'Export' },
  { to: paths.changes, label: 'Recent changes' },
] as const
