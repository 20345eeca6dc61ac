import { KeysDialog } from './keys-dialog.tsx'
import { PaletteDialog } from './palette-dialog.tsx'
import type { Palette } from './use-palette.ts'

/** The command palette and the list of keys, in a file of their own, which is loaded when one of them first opens. */
export const PaletteDialogs = ({ palette: { shown, open, close, returnFocus } }: { palette: Palette }) => (
  <>
    <PaletteDialog isOpen={shown === 'palette'} onClose={close} onClosed={returnFocus} openKeys={() => open('keys')} />
    <KeysDialog isOpen={shown === 'keys'} onClose={close} onClosed={returnFocus} />
  </>
)
