/** An element as JSON: its tag, its attributes, and what is in it, of which text stands for itself. */
export type Written = string | [tag: string, attributes: Record<string, string>, ...content: Written[]]

const SVG = 'http://www.w3.org/2000/svg'

/**
 * What is not seen of a screen that has not been scrolled: what other widths have, words to hear, and of lists all that is
 * below the window.
 */
const isUnseen = (element: Element) =>
  element.localName !== 'style' &&
  (!element.checkVisibility() ||
    element.classList.contains('visually-hidden') ||
    (element.getBoundingClientRect().top >= window.innerHeight && element.closest('[data-index]') !== null))

const contentOf = (element: Element): Written[] =>
  [...element.childNodes].flatMap((node): Written[] => {
    if (node instanceof Text) return [node.data]
    return node instanceof Element && !isUnseen(node) ? [write(node)] : []
  })

/** Of an element that says so, only its place is kept: what stands in it comes after everything else each time. */
export const write = (element: Element): Written => [
  element.localName,
  Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  ...(element.hasAttribute('data-comes-late') ? [] : contentOf(element)),
]

/**
 * Makes what was written, by itself and not by parsing: nothing in it can become another element than it was. `nonce` is
 * what the content security policy of this page admits styles by.
 */
export const make = (written: Written, nonce: string, namespace?: typeof SVG): Node => {
  if (typeof written === 'string') return document.createTextNode(written)
  const [tag, { style, ...attributes }, ...content] = written
  const inside = tag === 'svg' ? SVG : namespace
  const element = inside ? document.createElementNS(inside, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  // As a property: the policy admits no style that comes as an attribute.
  if (style !== undefined) (element as ElementCSSInlineStyle).style.cssText = style
  if (tag === 'style') element.setAttribute('nonce', nonce)
  // What is typed before there is somebody to hear it would be lost.
  if (tag === 'input') element.setAttribute('readonly', '')
  element.append(...content.map((part) => make(part, nonce, inside)))
  return element
}
