import { Anchor, Kbd } from '@mantine/core'
import { Link } from 'react-router'
import { COMMAND_KEY } from '#web/app/app-shell/search-button.tsx'
import { paths } from '#web/paths.ts'
import { SheetDialog } from '#web/ui/dialogs/sheet-dialog.tsx'
import { singleKeys } from '#web/ui/keys/use-single-key.ts'
import classes from './palette.module.css'

const KEYS = [
  [COMMAND_KEY, 'Search records, screens and commands'],
  ['/', 'Search, on a screen with a search box'],
  ['J', 'Next record of the list, on the page of a record'],
  ['K', 'Previous record of the list'],
  ['E', 'Edit all fields, on the page of a record'],
  ['O', 'Give or change your opinion, on the page of a record'],
  ['0–9', 'The same with this rating; 0 is 10'],
  ['V', 'Reveal the opinions, for managers'],
  ['S', 'Set the stage, then its number or first letter'],
  ['P', 'Pass, then the number of the reason'],
  ['G I', 'Go to the inbox'],
  ['J K', 'Next and previous line, in the inbox; Enter opens it'],
  ['E or D', 'Done with the line, in the inbox'],
  ['U', 'Mark the line as unread'],
  ['M', 'Mute the record of the line'],
  ['Z', 'Take back what was done last in the inbox'],
  ['?', 'This list'],
] as const

type KeysDialogProps = { isOpen: boolean; onClose: () => void; onClosed: () => void }

export const KeysDialog = ({ isOpen, onClose, onClosed }: KeysDialogProps) => (
  <SheetDialog
    title="Keyboard shortcuts"
    status={
      singleKeys.areOn() ? 'Shortcuts work when you are not typing' : 'Single keys are switched off on this device'
    }
    closeLabel="Close the list of keys"
    isOpen={isOpen}
    onClose={onClose}
    onClosed={onClosed}
  >
    <dl className={classes.keys}>
      {KEYS.map(([key, does]) => (
        <div key={key} className={classes.keyRow}>
          <dt>
            <Kbd>{key}</Kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <p className={classes.keysNote}>
      <Anchor component={Link} to={paths.account} inherit underline="always" onClick={onClose}>
        Switch single keys on or off
      </Anchor>
    </p>
  </SheetDialog>
)
