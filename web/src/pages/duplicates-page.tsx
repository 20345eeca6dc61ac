import { DataFrame } from '#web/data/data-frame.tsx'
import { Duplicates } from '#web/duplicates/duplicates.tsx'

export const DuplicatesPage = () => (
  <DataFrame part="Duplicates">
    <Duplicates />
  </DataFrame>
)
