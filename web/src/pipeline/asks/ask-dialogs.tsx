export { ContestDialog } from './contest-dialog.tsx'
export { ReasonDialog } from './reason-dialog.tsx'
