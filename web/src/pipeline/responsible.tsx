import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '#web/fellows/use-me.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { later } from '#web/ui/states/later.tsx'
import type { PanelPartProps } from './panel-props.ts'
import classes from './pipeline-panel.module.css'

const FellowSelect = later(
  'The list of fellows could not be loaded.',
  async () => (await import('#web/fellows/fellow-select.tsx')).FellowSelect,
)

/** The fellow who is responsible: by name, or oneself in one click. */
export function Responsible({ record, pipeline: { responsible, version }, isBusy, change }: PanelPartProps) {
  const me = useMe()
  const [isChoosing, setChoosing] = useState(false)
  const [hasChosen, setChosen] = useState(false)
  const isStarted = version > 0
  const isMe = responsible !== null && responsible.id === me?.id
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
  const ref = hasChosen ? focusWhenShown : null
  if (!responsible)
    return (
      <div className={classes.row}>
        {isStarted && <span className={classes.label}>Responsible</span>}
        <span className={classes.begins}>
          {me && (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes.begin ?? ''}
              leftSection={<IconPlus size={14} stroke={1.5} />}
              disabled={isBusy}
              onClick={() => give(me.id)}
            >
              {isStarted ? 'Me' : 'I am responsible'}
              <span className="visually-hidden"> for {record.name}</span>
            </Button>
          )}
          <Button ref={ref} variant="subtle" size="compact-sm" className={classes.begin ?? ''} onClick={begin}>
            {isStarted ? 'Choose…' : 'Someone else…'}
            <span className="visually-hidden"> is responsible for {record.name}</span>
          </Button>
        </span>
      </div>
    )
  return (
    <div className={classes.row}>
      <span className={classes.label}>Responsible</span>
      <span className={classes.given}>
        <bdi className={classes.text}>{responsible.name}</bdi>
        <span className={classes.begins}>
          {!isMe && me && (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes.begin ?? ''}
              disabled={isBusy}
              onClick={() => give(me.id)}
            >
              Me
              <span className="visually-hidden"> instead</span>
            </Button>
          )}
          <Button ref={ref} variant="subtle" size="compact-sm" className={classes.begin ?? ''} onClick={begin}>
            Change
            <span className="visually-hidden"> the responsible fellow</span>
          </Button>
        </span>
      </span>
    </div>
  )
}
