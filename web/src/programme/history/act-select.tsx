import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { type ComboboxItem, Select } from '@mantine/core'
import { actChoices, isFound } from './act-words.ts'

const byValue = new Map(actChoices.map((choice) => [choice.value, choice]))

type ActSelectProps = { value: string; onChange: (value: string) => void }

/** Chooses an act by its words. Other names of actions in the address stay as they are. */
export const ActSelect = ({ value, onChange }: ActSelectProps) => (
  <Select
    label="Act"
    placeholder="Any act"
    searchable
    clearable
    openOnFocus={false}
    selectFirstOptionOnChange
    nothingFoundMessage="No act found"
    data={value === '' || byValue.has(value) ? actChoices : [...actChoices, { value, label: value }]}
    filter={({ options, search }) =>
      options.filter((option) => {
        const choice = byValue.get((option as ComboboxItem).value)
        return search === (byValue.get(value)?.label ?? value) || (choice !== undefined && isFound(choice, search))
      })
    }
    value={value || null}
    onChange={(chosen) => onChange(chosen ?? '')}
    comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
    clearButtonProps={{ 'aria-label': 'Any act' }}
  />
)
