// Enough for a person to know a device of their own again, by what browsers say of themselves. Order matters: most of
// them also claim to be one that is further down.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstOf = (names: [RegExp, string][], text: string) => names.find(([pattern]) => pattern.test(text))?.[1]

/** Such as `Chrome on Linux`; a program by its own first word; empty when nothing was said. */
export function deviceOf(userAgent: string): string {
  const browser = firstOf(BROWSERS, userAgent) ?? /^[\w.-]{1,40}/.exec(userAgent)?.[0]
  const system = firstOf(SYSTEMS, userAgent)
  return [browser, system].filter((part) => part !== undefined).join(' on ')
}
