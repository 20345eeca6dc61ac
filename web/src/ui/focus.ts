/** As a `ref`: the element takes the focus when it appears. The function must stay the same one, or it would again. */
export const focusWhenShown = (element: HTMLElement | null) => element?.focus({ preventScroll: true })
