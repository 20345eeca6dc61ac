// For use as a `ref`. Defined once: a new function on each render would take the focus again.

/** Focuses the element when it appears, and scrolls to it only if it is out of sight. */
export const focusWhenShown = (element: HTMLElement | null) => {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

/** The same, but only if the element that had the focus is gone. */
export const focusWhenLost = (element: HTMLElement | null) => {
  if (document.activeElement === document.body) focusWhenShown(element)
}

/** Focuses the text box when it appears, with the caret after its text. */
export const focusAtEnd = (box: HTMLTextAreaElement | null) => {
  box?.focus({ preventScroll: true })
  box?.setSelectionRange(box.value.length, box.value.length)
}

/** Focuses an element once a dialog that is closing has gone, and once an act that disabled it has ended on the screen. */
export const focusAfterwards = (elementOf: () => HTMLElement | null | undefined, tries = 30) =>
  void setTimeout(() => {
    const element = elementOf()
    if (element?.matches(':disabled') && tries > 0) focusAfterwards(elementOf, tries - 1)
    else element?.focus({ preventScroll: true })
  })
