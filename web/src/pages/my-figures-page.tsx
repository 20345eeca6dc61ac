import { MyFigures } from '#web/figures/my-figures.tsx'
import { Page } from '#web/ui/page.tsx'

export const MyFiguresPage = () => (
  <Page title="My figures">
    <MyFigures />
  </Page>
)
