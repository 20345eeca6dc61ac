import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type ReceivedMail = { to: string; headers: string; subject: string; text: string; html: string }

export type MailServer = Awaited<ReturnType<typeof openMailServer>>

/** A fake mail server. It accepts every mail, unless it is set to refuse, or to take it and hang up before it says so. */
export async function openMailServer() {
  const mails: ReceivedMail[] = []
  let mood: 'taking' | 'refusing' | 'silent' | 'hanging up' = 'taking'

  const server = createServer((socket) => {
    let letter: string | undefined
    let to = ''
    const answer = (line: string) => socket.write(`${line}\r\n`)
    const onLine = (line: string) => {
      if (letter !== undefined) {
        if (line !== '.') letter += `${line.replace(/^\.\./, '.')}\r\n`
        else {
          mails.push({ to, ...readMail(letter) })
          letter = undefined
          if (mood === 'hanging up') socket.destroy()
          else answer('250 taken')
        }
      } else if (/^EHLO/i.test(line)) answer('250 mail.test')
      else if (/^RCPT/i.test(line)) {
        to = /<(.+)>/.exec(line)?.[1] ?? ''
        answer(mood === 'refusing' ? `550 no mailbox for ${to}` : '250 ok')
      } else if (/^DATA/i.test(line)) {
        letter = ''
        answer('354 go on')
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else answer('250 ok')
    }
    if (mood !== 'silent') answer('220 mail.test')
    eachLine(socket, onLine)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }

  const to = (address: string) => mails.filter((mail) => mail.to === address)
  return {
    url: `smtp://127.0.0.1:${port}`,
    be: (next: typeof mood) => {
      mood = next
    },
    to,
    /** Waits for the mail after the first `before` to this address. */
    async next(address: string, before = 0): Promise<ReceivedMail> {
      for (let waited = 0; waited < 20_000; waited += 20) {
        const mail = to(address)[before]
        if (mail !== undefined) return mail
        await pause(20)
      }
      throw new Error(`No mail came for ${address}`)
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The token in the link of a mail. */
export const tokenIn = (mail: ReceivedMail): string => /#token=([\w-]+)/.exec(mail.text)?.[1] ?? ''

function eachLine(socket: Socket, onLine: (line: string) => void) {
  let rest = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\r\n')
    rest = lines.pop() as string
    for (const line of lines) onLine(line)
  })
}

function readMail(letter: string): Omit<ReceivedMail, 'to'> {
  const { headers, body } = parts(letter)
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? '\0'
  const alternatives = body.split(`--${boundary}`).map(parts)
  const of = (type: string) => {
    const part = alternatives.find((one) => one.headers.includes(type))
    return part === undefined ? '' : decoded(part)
  }
  const subject = /^Subject: (.+)$/m.exec(headers)?.[1]?.trim() ?? ''
  return { headers: unfolded(headers), subject, text: of('text/plain'), html: of('text/html') }
}

const unfolded = (headers: string) => headers.replaceAll(/\r\n[ \t]+/g, ' ')

function parts(text: string) {
  const [headers = '', ...body] = text.replace(/^\r\n/, '').split('\r\n\r\n')
  return { headers, body: body.join('\r\n\r\n') }
}

function decoded({ headers, body }: { headers: string; body: string }): string {
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(headers)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
