import { expect, it } from 'vitest'
import { addressesIn } from './addresses.ts'

const pasted: [text: string, addresses: string[]][] = [
  ['a@uni.edu\nb@uni.edu, c@uni.edu; d@uni.edu e@uni.edu', ['a', 'b', 'c', 'd', 'e'].map((one) => `${one}@uni.edu`)],
  ['Ada <a@uni.edu>; Bea Beta <b@uni.edu>', ['a@uni.edu', 'b@uni.edu']],
  ['"Byron, Ada" <a@uni.edu>, Bea <b@uni.edu>', ['a@uni.edu', 'b@uni.edu']],
  ['Byron, Ada <a@uni.edu>; Beta, Bea <b@uni.edu>', ['a@uni.edu', 'b@uni.edu']],
  ['Ada Byron\ta@uni.edu\tCS\nBea\tb@uni.edu', ['a@uni.edu', 'b@uni.edu']],
  ['\u200ba@uni.edu\u200b, \ufeffb@uni.edu', ['a@uni.edu', 'b@uni.edu']],
  ['mailto:a@uni.edu?subject=Hi <mailto:b@uni.edu>', ['a@uni.edu', 'b@uni.edu']],
  ['‘a@uni.edu’ “b@uni.edu” (c@uni.edu).', ['a@uni.edu', 'b@uni.edu', 'c@uni.edu']],
  ['a@uni.edu A@uni.edu', ['A@uni.edu']],
  ["o'neil@uni.edu", ["o'neil@uni.edu"]],
  ['a@uni.edu, bea', ['a@uni.edu', 'bea']],
  [' ,;\n', []],
]

it.each(pasted)('The addresses in %j are found', (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses)
})
