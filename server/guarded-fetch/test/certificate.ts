import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed key and certificate for one name, new each time, so that the repository contains no key. */
export function certificateFor(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const alternativeName = sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x82, Buffer.from(name)))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ECDSA_WITH_SHA256,
    EMPTY_NAME,
    sequence(der(0x17, Buffer.from('000101000000Z')), der(0x18, Buffer.from('21000101000000Z'))),
    EMPTY_NAME,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]))
  const certificate = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const SUBJECT_ALT_NAME = der(0x06, Buffer.from('551d11', 'hex'))
const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
const EMPTY_NAME = sequence()
