import { describe, expect, it } from 'vitest'
import { personName } from './auth.ts'

describe('The name of a person', () => {
  it.each([
    ...['Arjun s/o Kumar', 'Siti A/P Raman', 'Ada Byron (she/her)', 'Ada Byron (she/her/hers)', 'Ana Luís/Lobo Reis'],
    ...['Ada Müller / Meier', "Seán O'Connor", 'D’Arcy Ní Bhriain', 'Jean-Luc van der Berg', 'Dr. Ada Byron, Ph.D.'],
    ...[
      'María José (Pepa) Núñez',
      'X Æ A-12',
      '李 明',
      'علی‌رضا',
      'Nguyễn Thị Ánh',
      'Ada "Bo" Lee',
      'J. R. R. Tolkien III',
      '孫',
    ],
  ])('is taken as people write it: %s', (name) => {
    expect(personName.safeParse(name)).toEqual({ success: true, data: name })
  })

  it.each([
    ...['Log in at https://evil.com', 'ftp://evil', 'WWW.evil.com', 'evil.com/login', 'Ada evil.com/x', 'Ada //evil'],
    ...['Ada s/o.evil', 'a/b', '/ /', 'Ada evil:/x', 'Ada 7/8', 'Ada /etc'],
  ])('is refused with what may be a link: %s', (name) => {
    expect(personName.safeParse(name).error?.issues[0]?.message).toBe(
      'Enter your name only, without a web address or a slash',
    )
  })
})
