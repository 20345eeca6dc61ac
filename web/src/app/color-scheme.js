// Runs before the first paint, so that a dark page never flashes white. Replaces Mantine's inline ColorSchemeScript,
// because the content security policy allows no inline script.
;(() => {
  const root = document.documentElement
  const show = (scheme) => root.setAttribute('data-mantine-color-scheme', scheme)
  try {
    const stored = localStorage.getItem('mantine-color-scheme-value')
    const isChosen = stored === 'light' || stored === 'dark'
    show(isChosen ? stored : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  } catch {
    show('light')
  }
})()
