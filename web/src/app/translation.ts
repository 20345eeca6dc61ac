// The browser's translation puts <font> elements in place of text nodes, which React does not know. It then removes a node
// that is elsewhere, or inserts another before it, and the page ends with an error.

/** The element that shows the translation of a text node. */
const translations = new WeakMap<Node, Element>()

/** What stands for a node in this parent: the node itself, the <font> around it or in its place, or nothing. */
function placeOf(node: Node, parent: Node): Node | undefined {
  const translation = translations.get(node)
  let place: Node | null = node.parentNode === null && translation ? translation : node
  while (place.parentNode !== parent) {
    place = place.parentNode
    if (place?.nodeName !== 'FONT') return undefined
  }
  return place
}

/** Lets React remove and insert nodes around a translation, and shows texts that change below one. */
export function tolerateTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const place = placeOf(child, this)
    if (place) removeChild.call(this, place)
    return child
  }
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, next: Node | null): Child {
    insertBefore.call(this, child, next && (placeOf(next, this) ?? null))
    return child
  }
  const observer = new MutationObserver((mutations) => {
    for (const { type, target, removedNodes, addedNodes, previousSibling, nextSibling } of mutations) {
      // A text that has changed takes its place again, where it is translated again.
      if (type === 'characterData') translations.get(target)?.replaceWith(target)
      const fonts = [...addedNodes, previousSibling, nextSibling].filter((node) => node?.nodeName === 'FONT')
      for (const node of removedNodes) {
        if (node.nodeType !== Node.TEXT_NODE || node.parentNode !== null || !fonts[0]) continue
        translations.set(node, fonts[0] as Element)
        observer.observe(node, { characterData: true })
      }
    }
  })
  observer.observe(document.documentElement, { childList: true, subtree: true })
}
