// Runs before the first paint, so that a dark page never flashes white: what Mantine's ColorSchemeScript does, in a file of
// its own, since the content security policy admits no inline script.
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
