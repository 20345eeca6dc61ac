// What screens looked like when they were last seen, kept in this browser and sealed. The key comes with the page and is
// kept nowhere: the server gives it to a live session only, another to each, and others again after an upgrade. What was
// kept without one, or under another, is never opened.

const PREFIX = 'snapshot:'
const IV_BYTES = 12

/** Empty for no session; undefined until the page has told. */
let keyBytes: string | undefined
/** Goes up whenever what is being sealed must not be kept any more. */
let changes = 0

/** Undefined too where the page came over plain http from another machine: browsers have no ciphers there. */
const importKey = async () => {
  if (!keyBytes || !globalThis.crypto?.subtle) return undefined
  return crypto.subtle.importKey('raw', bytesOf(keyBytes), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

// Bytes are stored as characters, each below 256. By hand, as reading them stands before the first paint.
const bytesOf = (text: string) => {
  const bytes = new Uint8Array(text.length)
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place)
  return bytes
}
const textOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

const unseal = async (sealed: string) => {
  const key = await importKey()
  if (!key) return undefined
  const bytes = bytesOf(sealed)
  const algorithm = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES) }
  return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(IV_BYTES)))
}

const forgetAll = () => {
  changes += 1
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name)
  } catch {
    // Then none could be kept either.
  }
}

export const snapshots = {
  /** Has what is kept sealed with this key, and what was sealed with it read, until the session that it is of is over. */
  takeKey: (base64: string) => {
    keyBytes ??= atob(base64)
  },

  /**
   * What was kept of the screen at this path: `about`, a line that everyone may read, and `content`, which is undefined when
   * this session may not see it. Throws when storage is forbidden.
   */
  read: (path: string): { about: string; content: Promise<string | undefined> } | undefined => {
    const kept = localStorage.getItem(PREFIX + path)
    if (kept === null || !keyBytes) return undefined
    const end = kept.indexOf('\n')
    return { about: kept.slice(0, end), content: unseal(kept.slice(end + 1)).catch(() => undefined) }
  },

  keep: async (path: string, about: string, content: string): Promise<void> => {
    const before = changes
    try {
      const key = await importKey()
      if (!key) return
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(content))
      if (changes === before)
        localStorage.setItem(PREFIX + path, `${about}\n${textOf(iv)}${textOf(new Uint8Array(sealed))}`)
    } catch {
      // Storage is full or forbidden: the screen is drawn as on a first visit.
    }
  },

  /** Something was changed: what was seen before is not so any more. */
  forgetAll,

  /** The session is over, and its key with it. Of the next one, the next page has the key. */
  end: () => {
    keyBytes = ''
    forgetAll()
  },
}
