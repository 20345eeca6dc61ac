import '#web/ui/dialogs/dialog-styles.ts'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/ScrollArea.css'
import { Combobox, Kbd, Modal, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { SEARCH_MAX } from '#contract/limits.ts'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import { tooLong } from '#web/ui/too-long.ts'
import classes from './palette.module.css'
import type { PaletteItem } from './palette-items.ts'
import { usePaletteGroups } from './use-palette-groups.tsx'

/** In milliseconds, after the last key. */
const WAIT = 80

type PaletteDialogProps = { isOpen: boolean; onClose: () => void; onClosed: () => void; openKeys: () => void }

/** The command palette: one field that finds records, screens and commands. */
export const PaletteDialog = ({ isOpen, onClose, onClosed, openKeys }: PaletteDialogProps) => (
  <Modal.Root
    opened={isOpen}
    onClose={onClose}
    onExitTransitionEnd={onClosed}
    returnFocus={false}
    yOffset="10dvh"
    size={600}
    transitionProps={{ duration: 120 }}
    classNames={{ content: classes.dialog }}
  >
    <Modal.Overlay />
    <Modal.Content aria-label="Search" data-closing={!isOpen || undefined}>
      <PaletteField onClose={onClose} openKeys={openKeys} />
    </Modal.Content>
  </Modal.Root>
)

/** Mounted while the palette is open, so that it opens empty. */
function PaletteField({ onClose, openKeys }: Pick<PaletteDialogProps, 'onClose' | 'openKeys'>) {
  const [typed, setTyped] = useState('')
  const fault = tooLong('Search', typed, SEARCH_MAX)
  const wanted = fault ? '' : typed.trim()
  const [term] = useDebouncedValue(wanted, WAIT)
  const [active, setActive] = useState<string | null>(null)
  /** The line that the person has moved to, and so wants. */
  const [wantedId, setWantedId] = useState<string>()
  /** Enter was pressed before the records of the whole term were there. */
  const [isWaiting, setWaiting] = useState(false)
  const combobox = useCombobox({ opened: true })
  const { groups, matches, isSearching, hasFailed } = usePaletteGroups({ typed: wanted, term, openKeys })
  const items = groups.flatMap((group) => group.items)
  const ids = items.map(({ id }) => id).join()

  // Mantine keeps the selected option in the document, so it is chosen once the options are there. A layout effect comes
  // before the list has an id, by which Mantine finds it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other lines move the selection
  useEffect(() => {
    const place = items.findIndex(({ id }) => id === wantedId)
    combobox.updateSelectedOptionIndex(place - 1)
    setActive(place > 0 ? combobox.selectNextOption() : combobox.selectFirstOption())
  }, [ids])

  useEffect(() => {
    if (!isWaiting || isSearching) return
    setWaiting(false)
    // The first line without the records might be a command that the person did not mean.
    if (!hasFailed) combobox.clickSelectedOption()
  }, [isWaiting, isSearching, hasFailed, combobox])

  const run = (id: string) => {
    onClose()
    items.find((item) => item.id === id)?.run()
  }
  const choose = (event: KeyboardEvent) => {
    const move = { ArrowDown: combobox.selectNextOption, ArrowUp: combobox.selectPreviousOption }[event.key]
    if (move) {
      setActive(move())
      setWantedId(items[combobox.getSelectedOptionIndex()]?.id)
    } else if (event.key === 'Enter') {
      if (isSearching && wantedId === undefined) setWaiting(true)
      else combobox.clickSelectedOption()
    } else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }

  return (
    <Combobox store={combobox} onOptionSubmit={run}>
      <Combobox.EventsTarget
        withExpandedAttribute
        withKeyboardNavigation={false}
        aria-activedescendant={active ?? undefined}
      >
        <TextInput
          data-autofocus
          aria-label="Search records, screens and commands"
          placeholder="Search records, screens and commands"
          variant="unstyled"
          size="lg"
          error={fault}
          spellCheck={false}
          enterKeyHint="go"
          leftSection={<IconSearch size={20} stroke={1.5} aria-hidden="true" />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setWantedId(undefined)
            setWaiting(false)
          }}
          onKeyDown={choose}
        />
      </Combobox.EventsTarget>
      <p role="status" className={matches > 0 && !hasFailed ? 'visually-hidden' : classes.status}>
        {hasFailed ? 'The records could not be searched. Try again in a moment.' : statusOf(matches, isSearching)}
      </p>
      <Combobox.Options className={classes.list} aria-label="Results">
        {groups.map(({ label, items }) => (
          <Combobox.Group key={label} label={label}>
            {items.map((item) => (
              <Combobox.Option key={item.id} value={item.id} className={classes.option}>
                <PaletteLine item={item} />
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
    </Combobox>
  )
}

const statusOf = (count: number, isSearching: boolean) => {
  if (count === 0) return isSearching ? 'Searching' : 'No matches.'
  return `${count} ${count === 1 ? 'result' : 'results'}`
}

const PaletteLine = ({ item: { label, detail, key, Icon, picture } }: { item: PaletteItem }) => (
  <>
    {Icon && <Icon size={20} stroke={1.5} />}
    {picture && <RecordAvatar name={label} picture={picture.src} size={32} square={picture.isSquare} />}
    <div className={classes.what}>
      <bdi className={classes.label}>{label}</bdi>
      {detail && <div className={classes.detail}>{detail}</div>}
    </div>
    {key && <Kbd>{key.toUpperCase()}</Kbd>}
  </>
)
