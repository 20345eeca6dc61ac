import type { InformationLetter } from '#contract/informing.ts'

/** The address that opens a letter in the mail program (RFC 6068). */
export const mailAddress = ({ to, subject, text }: InformationLetter): string => {
  const encoded = (value: string) => encodeURIComponent(value.replaceAll('\n', '\r\n'))
  return `mailto:${encodeURIComponent(to ?? '').replace('%40', '@')}?subject=${encoded(subject)}&body=${encoded(text)}`
}
