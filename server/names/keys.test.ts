import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  domain,
  gitHubLogin,
  isSameSite,
  linkedInCompany,
  linkedInCompanyPage,
  linkedInPerson,
  mailboxKey,
  siteHost,
} from './keys.ts'

describe('The handle of a person on LinkedIn', () => {
  it.each([
    'linkedin.com/in/Ada/',
    '//linkedin.com/in/ada',
    'https://uk.linkedin.com/in/ada?x=1',
    'HTTPS://WWW.LinkedIn.com/in/%41da#x',
    'http://linkedin.com:80/in/ada',
    'https://www.linkedin.com./in/ada',
    'https://www.linkedin.com//in//ada',
    'https://www.linkedin.com/in/ada/en',
    'https://www.linkedin.com/in/ada/details/experience/',
    '  https://m.linkedin.com/IN/ada  ',
  ])('is ada in %s', (address) => {
    expect(linkedInPerson(address)).toBe('ada')
  })

  it.each([
    ['as typed or percent-encoded', 'https://linkedin.com/in/zo%C3%AB', 'zoë'],
    ['with an accent of its own', 'https://linkedin.com/in/zoe\u0308', 'zoë'],
    ['in another script', 'linkedin.com/in/李明', '李明'],
  ])('is one %s', (_, address, handle) => {
    expect(linkedInPerson(address)).toBe(handle)
  })

  it.each([
    'https://linkedin.com/sales/lead/ada',
    'https://linkedin.com/talent/profile/ada',
    'https://linkedin.com/company/ada',
    'https://linkedin.com/pub/ada-lovelace/1/2/3',
    'https://linkedin.com/in/',
    'https://linkedin.com/in',
    'https://linkedin.com/in/%20',
    'https://linkedin.com/in/a%2Fb',
    'https://linkedin.com/in/%ff',
    'https://www.linkedin.com/in/https://www.linkedin.com/in/ada',
    'https://www.linkedin.com/in/www.linkedin.com/in/ada',
    'https://www.linkedin.com/in/linkedin.com/in/ada',
    'https://www.linkedin.com/in/adahttps://www.linkedin.com/in/ada',
    'https://www.linkedin.com/in/in/ada',
    'https://www.linkedin.com/in/undefined',
    'https://www.linkedin.com/in/Null/',
    'https://www.linkedin.com/in/N-A',
    'https://www.linkedin.com/in/your-name',
    'https://www.linkedin.com/in/%7B%7Bhandle%7D%7D',
    'https://www.linkedin.com/in/ada@mit.edu',
    'https://www.linkedin.com/in/-',
    'https://linkedin.com.evil.example/in/ada',
    'https://notlinkedin.com/in/ada',
    'https://evil.example/linkedin.com/in/ada',
    'https://linkedin.com@evil.example/in/ada',
    'https://evil.example@linkedin.com/in/ada',
    'ftp://linkedin.com/in/ada',
    'javascript://linkedin.com/in/ada',
    'ada',
    '',
  ])('is not in %s', (address) => {
    expect(linkedInPerson(address)).toBeNull()
  })

  it('is the same for every spelling of the address', () => {
    const handle = fc.stringMatching(/^[a-z0-9][a-z0-9-]{2,40}$/)
    const spelled = fc.record({
      handle,
      scheme: fc.constantFrom('', '//', 'http://', 'https://', 'HTTPS://'),
      host: fc.constantFrom('linkedin.com', 'www.linkedin.com', 'WWW.LINKEDIN.COM', 'de.linkedin.com', 'linkedin.com.'),
      spelling: fc.constantFrom(
        (text: string) => text,
        (text: string) => text.toUpperCase(),
        (text: string) => text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      ),
      rest: fc.constantFrom('', '/', '//', '?trk=x', '/?a=/in/eve', '#top', '/en', '/details/skills/'),
    })
    fc.assert(
      fc.property(spelled, ({ handle, scheme, host, spelling, rest }) => {
        expect(linkedInPerson(`${scheme}${host}/in/${spelling(handle)}${rest}`)).toBe(handle)
      }),
    )
  })

  it('is unchanged in an address built from it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
        const handle = linkedInPerson(`https://linkedin.com/in/${encodeURIComponent(text)}`)
        fc.pre(handle !== null)
        expect(linkedInPerson(`https://linkedin.com/in/${encodeURIComponent(handle)}`)).toBe(handle)
      }),
    )
  })
})

describe('The page of a company on LinkedIn', () => {
  it.each([
    ['https://www.linkedin.com/company/Acme-Robotics/about/', 'acme-robotics'],
    ['linkedin.com/company/1234567?x', '1234567'],
    ['https://www.linkedin.com/school/MIT/', 'mit'],
  ])('%s has the key %s', (address, key) => {
    expect(linkedInCompany(address)).toBe(key)
  })

  it('has an address with the same key', () => {
    expect(linkedInCompanyPage('acme')).toBe('https://www.linkedin.com/company/acme')
    expect(linkedInCompany(linkedInCompanyPage('café'))).toBe('café')
  })

  it.each([
    'https://linkedin.com/in/ada',
    'https://linkedin.com/showcase/acme',
    'https://acme.example/company/acme',
    'https://www.linkedin.com/company/undefined',
    'https://www.linkedin.com/company/https://www.linkedin.com/company/acme',
  ])('is not %s', (address) => {
    expect(linkedInCompany(address)).toBeNull()
  })
})

describe('The domain of a company', () => {
  it.each([
    'acme.example',
    'ACME.example.',
    'https://www.acme.example',
    'http://acme.example:8080/about?x#y',
    ' https://WWW.Acme.Example./ ',
  ])('is acme.example in %s', (address) => {
    expect(domain(address)).toBe('acme.example')
  })

  it.each([
    ['a subdomain as it is', 'https://shop.acme.example', 'shop.acme.example'],
    ['letters of any script in ASCII', 'https://bücher.example', 'xn--bcher-kva.example'],
    ['www when there is nothing else before the last label', 'https://www.example', 'www.example'],
    ['the front page of a site of profiles as its owner', 'https://www.github.com/', 'github.com'],
  ])('accepts %s', (_, address, expected) => {
    expect(domain(address)).toBe(expected)
  })

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://localhost:3000',
    'http://app.localhost',
    'http://printer.local',
    'http://acme',
    'ada@acme.example',
    'mailto:ada@acme.example',
    'https://exa_mple.example',
    'https://www.linkedin.com/company/acme',
    'https://uk.linkedin.com',
    'https://x.com/acme',
    'https://m.facebook.com/acme',
    'https://github.com/acme',
    'https://www.crunchbase.com/organization/acme',
    'https://acme.notion.site',
    'https://acme.github.io/',
    'https://bit.ly/acme',
    'https://bit.ly',
    'https://forms.gle/abc',
    'https://acme.typeform.com/to/abc',
    'https://calendly.com/acme',
    'http://www.https://acme.example',
    'https://https://acme.example',
    'https://undefined',
    'Acme Robotics',
    '',
  ])('is not in %s', (address) => {
    expect(domain(address)).toBeNull()
  })
})

describe('The mailbox of an email address', () => {
  it.each([
    ['Ada@Acme.example', 'ada@acme.example'],
    ['mailto:info@acme.example', 'info@acme.example'],
    ['null-pointer@acme.example', 'null-pointer@acme.example'],
  ])('of %s is %s', (text, mailbox) => {
    expect(mailboxKey(text)).toBe(mailbox)
  })

  it.each(['undefined@acme.example', 'none@none.example', 'no-email@acme.example', 'noreply@acme.example', 'ada', ''])(
    'is not in %s',
    (text) => {
      expect(mailboxKey(text)).toBeNull()
    },
  )
})

describe('The host of an own site', () => {
  it.each([
    ['on shared hosting', 'https://Acme.notion.site/home', 'acme.notion.site'],
    ['where only the operator can reach it', 'http://10.0.0.7:3000/', '10.0.0.7'],
  ])('may be %s', (_, address, host) => {
    expect(siteHost(address)).toBe(host)
  })

  it('is not a page on a site of profiles', () => {
    expect(siteHost('https://linkedin.com/company/acme')).toBeNull()
  })
})

describe('Two hosts', () => {
  it.each([
    ['acme.example', 'acme.example', true],
    ['acme.example', 'shop.acme.example', true],
    ['shop.acme.example', 'acme.example', true],
    ['acme.example', 'notacme.example', false],
    ['shop.acme.example', 'blog.acme.example', false],
  ])('%s and %s are the same site: %s', (one, other, isOne) => {
    expect(isSameSite(one, other)).toBe(isOne)
  })
})

describe('A login on GitHub', () => {
  it.each([
    'https://github.com/Ada',
    'github.com/ada/engine?tab=readme#x',
    'https://www.github.com/ada.',
    'Met at the fair (https://github.com/ada), wants to raise.',
    '[code](https://github.com/ada) and https://github.com/eve',
    'GitHub:github.com/ada',
    'https://gist.github.com/ada/0123456789abcdef0123456789abcdef',
    'https://github.com/sponsors/ada',
    'https://github.com/orgs/ada/people',
    'https://github.com/users/ada/projects/1',
    'https://github.com/features and then github.com/ada',
    'github.com/topics/compilers, github.com/ada',
  ])('is ada in %s', (text) => {
    expect(gitHubLogin(text)).toBe('ada')
  })

  it.each([
    'https://github.com',
    'https://github.com/',
    'https://github.com/features',
    'https://github.com/orgs/',
    'https://github.com/security.txt',
    'https://github.com/-ada',
    'https://github.com/ada_x',
    `https://github.com/${'a'.repeat(40)}`,
    `https://github.com/${'a-'.repeat(20)}a`,
    'https://gist.github.com/0123456789abcdef0123456789abcdef',
    'https://github.com.evil.example/ada',
    'https://evilgithub.com/ada',
    'https://evil.example/github.com/ada',
    'https://evil.github.com/ada',
    'https://raw.githubusercontent.com/ada',
    'ada@github.com/ada',
    'ada on GitHub',
  ])('is not in %s', (text) => {
    expect(gitHubLogin(text)).toBeNull()
  })
})

describe('Any text', () => {
  it('is a key or null, and never an error', { tags: 'slow' }, () => {
    const near = fc
      .tuple(
        fc.constantFrom('', 'https://', 'linkedin.com/in/', 'linkedin.com/company/', 'github.com/', 'https://www.'),
        fc.string({ unit: 'binary' }),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(near, (text) => {
        for (const key of [linkedInPerson, linkedInCompany, siteHost, domain, gitHubLogin]) {
          expect(key(text)).toSatisfy((value) => value === null || (typeof value === 'string' && value !== ''))
        }
      }),
      { numRuns: 500 },
    )
  })
})
