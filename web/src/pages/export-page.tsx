import { DataFrame } from '#web/data/data-frame.tsx'
import { ExportSection } from '#web/export/export-section.tsx'

export const ExportPage = () => (
  <DataFrame part="Export">
    <ExportSection />
  </DataFrame>
)
