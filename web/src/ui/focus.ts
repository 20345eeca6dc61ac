// As a `ref`. The functions must stay the same ones, or they would take the focus again.

/** The element takes the focus when it appears. */
export const focusWhenShown = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** The text box takes the focus when it appears, with the caret behind its text. */
export const focusAtEnd = (box: HTMLTextAreaElement | null) => {
  box?.focus({ preventScroll: true })
  box?.setSelectionRange(box.value.length, box.value.length)
}
