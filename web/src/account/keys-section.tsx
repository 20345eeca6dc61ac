import '@mantine/core/styles/Switch.css'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { singleKeys } from '#web/ui/use-single-key.ts'
import { Section } from './section.tsx'

/** Switches the shortcuts of a single key off on this device, for people who speak to their computer, for example. */
export const KeysSection = () => {
  const [areOn, setOn] = useState(singleKeys.areOn)
  const change = (isOn: boolean) => {
    singleKeys.set(isOn)
    setOn(isOn)
  }
  return (
    <Section title="Keyboard">
      <Switch
        label="Single-key shortcuts"
        description="Keys such as / and J act without Ctrl or ⌘. This setting is stored on this device."
        checked={areOn}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </Section>
  )
}
