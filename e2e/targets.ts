import type { Page } from '@playwright/test'

/** Buttons, fields and boxes below a size in pixels, with their labels and what widens them, and links below 24 on a line of their own. */
export const smallTargets = (page: Page, least: number) =>
  page.evaluate((least) => {
    const sizeOf = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      const wider = getComputedStyle(element, '::after')
      const isWider = wider.content !== 'none' && wider.position === 'absolute'
      return {
        width: Math.max(width, isWider ? Number.parseFloat(wider.width) : 0),
        height: Math.max(height, isWider ? Number.parseFloat(wider.height) : 0),
      }
    }
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.getBoundingClientRect().width > 2
    return [...document.querySelectorAll<HTMLElement>('main :is(button, input, select, textarea, summary, a[href])')]
      .filter((element) => getComputedStyle(element).display !== 'inline')
      .map((element) => {
        // Of a choice whose box is hidden, the label is what is pressed.
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
        const sizes = [element, ...labels].filter(isShown).map(sizeOf)
        const height = Math.max(...sizes.map(({ height }) => height))
        const width = Math.max(...sizes.map(({ width }) => width))
        const isSmall = sizes.length > 0 && (height < (element.matches('a') ? 24 : least) - 0.5 || width < 23.5)
        return isSmall && `${width} × ${height} ${element.outerHTML.slice(0, 200)}`
      })
      .filter(Boolean)
  }, least)
