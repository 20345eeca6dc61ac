import { DataFrame } from '#web/data/data-frame.tsx'
import { Import } from '#web/import/import.tsx'

export const ImportPage = () => (
  <DataFrame part="Import">
    <Import />
  </DataFrame>
)
