import { Changes } from '#web/changes/changes.tsx'
import { DataFrame } from '#web/data/data-frame.tsx'

export const ChangesPage = () => (
  <DataFrame part="Recent changes">
    <Changes />
  </DataFrame>
)
