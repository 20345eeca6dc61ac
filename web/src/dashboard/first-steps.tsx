import { IconUserPlus } from '@tabler/icons-react'
import { kindWords } from '#contract/kind-words.ts'
import { kinds } from '#web/kinds.ts'
import { AddButton } from '#web/records/add-button.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'

/** The first steps on a platform without records. */
export const FirstSteps = () => (
  <EmptyState
    icon={<IconUserPlus size={28} stroke={1.5} />}
    title={`Add the first ${kindWords}`}
    text="Every fellow can find what you add, and add notes to it. This page will show what is new and what each fellow has sourced."
    action={kinds.map((kind, index) => (
      <AddButton key={kind.name} kind={kind} variant={index === 0 ? 'filled' : 'default'} />
    ))}
  />
)
