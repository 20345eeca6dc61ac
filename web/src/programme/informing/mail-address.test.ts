import { expect, it } from 'vitest'
import { mailAddress } from './mail-address.ts'

it('A letter opens in the mail program with its address, subject and lines', () => {
  const letter = { to: 'ada+x@example.com', subject: 'A & B', text: 'Dear Ada,\n\n50 % = ½' }
  expect(mailAddress(letter)).toBe(
    'mailto:ada%2Bx@example.com?subject=A%20%26%20B&body=Dear%20Ada%2C%0D%0A%0D%0A50%20%25%20%3D%20%C2%BD',
  )
  expect(mailAddress({ ...letter, to: null })).toMatch(/^mailto:\?subject=/)
})
