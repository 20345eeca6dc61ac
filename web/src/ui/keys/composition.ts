/**
 * Keys belong to an input method or a dead key as long as it composes: its Enter confirms a word, its Escape discards one.
 * This stops them before any listener of the page, of its components or of a library. Safari reports the key that ends a
 * composition only by the old key code.
 */
export const ignoreKeysOfCompositions = (target: Pick<Window, 'addEventListener'> = window) => {
  const ignore = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229 || event.key === 'Dead') event.stopImmediatePropagation()
  }
  target.addEventListener('keydown', ignore, { capture: true })
}
