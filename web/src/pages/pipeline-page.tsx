import { Board } from '#web/board/board.tsx'
import { Page } from '#web/ui/page.tsx'

export const PipelinePage = () => (
  <Page title="Pipeline">
    <Board />
  </Page>
)
