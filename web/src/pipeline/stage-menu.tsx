import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Menu.css'
import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import type { Pipeline } from '#contract/stage.ts'
import { NOT_STARTED } from '#contract/status.ts'
import { charactersOf, hasModifier, withoutAccents } from '#web/ui/keys/characters.ts'
import { useKeysWait } from '#web/ui/keys/waiting-keys.ts'
import { listStages } from './api.ts'
import classes from './stage-menu.module.css'
import { useStatusChoices } from './use-status-choices.ts'
import { noPipeline, type PipelineChange } from './words.ts'

type StageMenuProps = {
  /** For screen readers: of which record. */
  label: string
  /** Null for several records, none of whose stages is marked. */
  pipeline: Pipeline | undefined | null
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  /** Whether the menu also has the statuses. */
  withStatuses?: boolean
  /** Whether it ends where its button ends. */
  endsThere?: boolean
  onChoose: (change: PipelineChange) => void
  /** Further items. */
  below?: ReactNode
  /** The button that opens the menu. */
  children: ReactNode
}

type Item = { id: string; label: string; key?: string; isCurrent: boolean; disabled?: boolean; change: PipelineChange }

const isSome = ({ length }: Item[]) => length > 0

const isChosenBy = ({ key, label }: Item, character: string) =>
  key === character || [label, withoutAccents(label)].some((name) => name.toLowerCase().startsWith(character))

/** A menu of stages. A digit or a first letter chooses one, as soon as the menu is asked for. */
export function StageMenu({
  label,
  pipeline,
  isOpen,
  setOpen,
  withStatuses = false,
  endsThere = false,
  onChoose,
  below,
  children,
}: StageMenuProps) {
  const { data: stages = [], isPending } = useQuery(listStages)
  useKeysWait(isOpen && isPending)
  const current = pipeline === null ? undefined : (pipeline ?? noPipeline)
  const dropdown = useRef<HTMLDivElement>(null)
  const stageItems: Item[] = [{ id: '', name: NOT_STARTED }, ...stages.filter(({ archived }) => !archived)].map(
    ({ id, name }, place) => ({
      ...{ id, label: name, isCurrent: current !== undefined && id === (current.stage?.id ?? '') },
      ...(place < 10 && { key: String(place) }),
      change: { stage: id || null },
    }),
  )
  const choices = useStatusChoices(current?.status, withStatuses && isOpen)
  const statusItems = (withStatuses ? choices : []).map(
    ({ value, label, disabled }): Item => ({
      ...{ id: value, label, disabled, isCurrent: value === current?.status },
      change: { status: value },
    }),
  )
  const items = [...stageItems, ...statusItems].filter(({ disabled }) => !disabled)

  const choose = ({ change, isCurrent }: Item) => {
    setOpen(false)
    if (!isCurrent) onChoose(change)
  }

  // On the document, because the next key may come before the menu has the focus.
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (hasModifier(event)) return
    const key = event.key.toLowerCase()
    const characters = charactersOf(event)
    // The typed character counts first: on other layouts the Latin one at its place may begin another label.
    const matches = characters.map((one) => items.filter((item) => isChosenBy(item, one))).find(isSome) ?? []
    const [first] = matches
    if (key === 'escape') setOpen(false)
    else if (first && matches.length === 1) choose(first)
    else if (matches.length > 1) {
      // Several begin with this letter: it goes from one to the next.
      const buttons = matches.map(({ id }) => dropdown.current?.querySelector<HTMLElement>(`[data-item="${id}"]`))
      const at = buttons.indexOf(document.activeElement as HTMLElement)
      buttons[(at + 1) % buttons.length]?.focus()
    } else if (characters.length === 0 || key === ' ') return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    if (!isOpen) return
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [isOpen])

  const draw = (list: Item[]) =>
    list.map((item, place) => (
      <Menu.Item
        key={item.id}
        data-item={item.id}
        data-autofocus={(list === stageItems && place === 0) || undefined}
        aria-keyshortcuts={item.key}
        aria-current={item.isCurrent || undefined}
        disabled={item.disabled ?? false}
        leftSection={
          item.isCurrent ? <IconCheck size={16} stroke={1.5} aria-hidden="true" /> : <span className={classes.space} />
        }
        rightSection={
          item.key && (
            <span className={classes.digit} aria-hidden="true">
              {item.key}
            </span>
          )
        }
        onClick={() => choose(item)}
      >
        <bdi className={classes.label}>{item.label}</bdi>
        {item.isCurrent && <span className="visually-hidden"> (now)</span>}
      </Menu.Item>
    ))
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position={endsThere ? 'bottom-end' : 'bottom-start'}
      // Out of a box that scrolls.
      floatingStrategy="fixed"
      width={240}
      transitionProps={{ duration: 0 }}
      withinPortal={false}
      closeOnEscape={false}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown ref={dropdown} aria-label={label}>
        {draw(stageItems)}
        {withStatuses && <Menu.Divider />}
        {draw(statusItems)}
        {below}
      </Menu.Dropdown>
    </Menu>
  )
}
