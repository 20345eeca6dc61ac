export { ConflictDialog } from './conflict-dialog.tsx'
export { ReasonDialog } from './reason-dialog.tsx'
