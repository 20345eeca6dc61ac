// Runs before the first paint, so that a dark page never flashes white. What Mantine's ColorSchemeScript does, as a
// file: the content security policy admits no inline script.
try {
  const stored = window.localStorage.getItem('mantine-color-scheme-value')
  const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
  const scheme = stored === 'light' || stored === 'dark' ? stored : isDark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
} catch {
  document.documentElement.setAttribute('data-mantine-color-scheme', 'light')
}
