// Types names into the command palette, and prints the milliseconds from the last key to the first record:
//   CHROMIUM_PATH=/usr/bin/chromium node bench/web/palette.ts http://localhost:3000
// PRODUCT_EMAIL and PRODUCT_PASSWORD are the account.
import { median, openProfile, signIn } from './browser.ts'

const TERMS = 20

const context = await openProfile({ width: 1440, height: 900 })
await signIn(context)
const names: { name: string }[] = await (await context.request.get('/api/founders?limit=500')).json()
const typed = names
  .filter(({ name }) => /^[\p{Script=Latin}]+ [\p{Script=Latin}]+$/u.test(name))
  .filter((_, at) => at % 10 === 0)
  .map(({ name }, at) => (at % 2 === 0 ? name : name.slice(0, 4)))
const page = await context.newPage()
await page.goto('/founders')
await page.getByRole('article').first().waitFor()

const took: number[] = []
for (const term of typed.slice(0, TERMS)) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search records, screens and commands' }).waitFor()
  await page.evaluate(() => {
    const shown = new Promise<number>((resolve) => {
      let last = 0
      document.addEventListener('input', ({ timeStamp }) => (last = timeStamp), { capture: true, once: true })
      const isRecord = () =>
        [...document.querySelectorAll('[role=group]')].some((group) =>
          /^(Founder|Compan)/.test(group.textContent ?? ''),
        )
      const watch = () => {
        // Callbacks run before a frame is painted, timers after it.
        if (last > 0 && isRecord()) setTimeout(() => resolve(performance.now() - last))
        else requestAnimationFrame(watch)
      }
      requestAnimationFrame(watch)
    })
    Object.assign(window, { shown })
  })
  // In one event, as the last key of a fast typist: the results of a part of the term are not those of the term.
  await page.keyboard.insertText(term)
  took.push(await page.evaluate(() => (window as unknown as { shown: Promise<number> }).shown))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}
console.log(JSON.stringify({ terms: took.length, median: median(took), longest: Math.max(...took) }))
await context.close()
