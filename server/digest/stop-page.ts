// Two pages without a script, which work in any program that opens a mail.

const STYLE = `
  :root { color-scheme: light dark; --page: #f4f2ee; --card: #fff; --line: #dedbd5; --text: #1d1c1a; --meta: #5c5a55; --act: #0a66c2; --on: #fff }
  @media (prefers-color-scheme: dark) {
    :root { --page: #1b1a19; --card: #242322; --line: #3a3836; --text: #e9e7e3; --meta: #b0ada7; --act: #71b7fb; --on: #10243a }
  }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
  main { box-sizing: border-box; width: min(400px, calc(100vw - 32px)); padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 8px }
  h1 { margin: 0 0 8px; font-size: 20px }
  p { margin: 0 0 16px; color: var(--meta) }
  p:last-child { margin: 0 }
  button { min-height: 40px; padding: 0 20px; border: 0; border-radius: 20px; background: var(--act); color: var(--on); font: inherit; font-weight: 600; cursor: pointer }
  a { color: var(--act) }
  :focus-visible { outline: 2px solid var(--act); outline-offset: 2px }
`

const page = (title: string, body: string) => (nonce: string) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sourcebook</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`

export const stopPage = page(
  'Stop this mail?',
  `<p>Sourcebook will not mail you what is unread any more. Your inbox stays as it is.</p>
<form method="post"><button>Stop this mail</button></form>`,
)

export const stoppedPage = page(
  'This mail is stopped',
  `<p>Sourcebook will not mail you what is unread. You can choose it again on <a href="/account">your account page</a>.</p>`,
)

export const unknownPage = page(
  'This link is not valid',
  `<p>It may be cut off. You can stop the mail on <a href="/account">your account page</a>.</p>`,
)
