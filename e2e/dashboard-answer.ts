import type { Page } from '@playwright/test'

/** The dashboard's response, with these overrides. */
export const withDashboard = (page: Page, news: object) =>
  page.route('**/api/dashboard', async (route) => {
    const answer = await route.fetch()
    return route.fulfill({ response: answer, json: { ...(await answer.json()), ...news } })
  })
