import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSignIn } from '#web/session/use-current-user.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import type { PanelPartProps } from './panel-props.ts'
import { PanelRow } from './panel-row.tsx'
import classes from './pipeline-panel.module.css'
import { ValueButton, ValueLink } from './value-button.tsx'

const FellowSelect = lazyPart(
  'The list of fellows could not be loaded.',
  async () => (await import('#web/fellows/fellow-select.tsx')).FellowSelect,
)

/** The fellow who is responsible: by name, or oneself in one click. */
export function Responsible({ record, pipeline: { responsible }, isBusy, change }: PanelPartProps) {
  const { account } = useSignIn()
  const [isChoosing, setChoosing] = useState(false)
  const [hasChosen, setChosen] = useState(false)
  const begin = () => {
    setChoosing(true)
    setChosen(true)
  }
  const give = (id: string | null) => {
    setChoosing(false)
    if (id !== (responsible?.id ?? null)) void change({ responsible: id })
  }

  if (isChoosing)
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button has opened
      <div
        className={classes.form}
        onKeyDown={(event) => {
          const isInList = event.target instanceof HTMLElement && event.target.ariaExpanded === 'true'
          if (event.key === 'Escape' && !isInList) setChoosing(false)
        }}
      >
        <FellowSelect
          label="Responsible fellow"
          value={responsible?.id ?? ''}
          placeholder="No fellow"
          autoFocus
          onChange={(id) => give(id || null)}
          fallback={<div className={classes.field} />}
        />
        <div className={classes.buttons}>
          <Button variant="default" size="xs" onClick={() => setChoosing(false)}>
            Cancel
          </Button>
        </div>
      </div>
    )
  return (
    <PanelRow label="Responsible">
      <ValueButton ref={hasChosen ? focusWhenShown : null} disabled={isBusy} onClick={begin}>
        <span className="visually-hidden">Responsible: </span>
        <bdi>{responsible?.name ?? 'Assign…'}</bdi>
      </ValueButton>
      {account !== '' && responsible?.id !== account && (
        <ValueLink disabled={isBusy} onClick={() => give(account)}>
          Me
          <span className="visually-hidden"> for {record.name}</span>
        </ValueLink>
      )}
    </PanelRow>
  )
}
