import { expect, it } from 'vitest'
import { reportPage } from './report-page.ts'

const at = '2026-03-01T10:00:00.000Z'
const page = reportPage({
  createdAt: at,
  records: [{ id: '1', kind: 'founder', name: 'Ada <King>' }],
  tables: [
    {
      table: 'records',
      label: 'Record',
      rows: [
        {
          ...{ id: '1', name: 'Ada <King>', notes: 'Met\nat the fair', website: null, creatorId: 'a fellow' },
          ...{ createdAt: '2026-01-02T03:04:05.000', isRated: true },
          additionalInfo: { bio: 'Wrote "programs"', company_headquarters: { city: 'London', country: '' } },
          enrichment: {
            sources: { bio: { provider: 'harmonic', at }, profile_picture_url: { provider: 'person', at } },
            last: { at, hints: { company: 'Acme' } },
          },
        },
      ],
    },
    { table: 'pictures', label: 'Picture', rows: [{ recordId: '1', size: 56, bytes: 'AAAA', fetchedAt: at }] },
    { table: 'jobs', label: 'Queue', rows: [{ id: '2', name: 'enrich', data: { by: 'a fellow', hints: ['Acme'] } }] },
    { table: 'record_members', label: 'Members', rows: [{ present: true }] },
  ],
})

it('A report as a page has each value in words, and public data with its source and time', () => {
  expect(page).toContain('<h2>Record</h2>')
  expect(page).toContain('<dt>Original Notes</dt><dd>Met\nat the fair</dd>')
  expect(page).toContain('<dt>Added by</dt><dd>a fellow</dd>')
  expect(page).toContain('<dt>Added on</dt><dd>2 January 2026 at 03:04 UTC</dd>')
  expect(page).toContain(
    '<dt>Bio</dt><dd>Wrote &quot;programs&quot;<small>Source: Harmonic, 1 March 2026 at 10:00 UTC</small></dd>',
  )
  expect(page).toContain('<dt>City</dt><dd>London</dd>')
  expect(page).toContain('<dt>Company</dt><dd>Acme</dd>')
  expect(page).toContain('<dt>Data</dt>')
  expect(page).not.toMatch(/Website|Country|undefined|null|\[object/)
})

it('It shows the picture with its source, and says of computed tables that they are', () => {
  expect(page).toContain('<img alt="Picture, 56 pixels wide" src="data:image/webp;base64,AAAA">')
  expect(page).toContain('Source: typed by a person of the programme, 1 March 2026 at 10:00 UTC')
  expect(page).toContain('<h2>Members</h2><p>Computed from the other parts')
})

it('It is one file that runs and loads nothing, with every text escaped', () => {
  expect(page).toContain('<title>Access report · Ada &lt;King&gt;</title>')
  expect(page).not.toContain('<King>')
  expect(page).not.toMatch(/<script|<link|src="(?!data:)|href=/)
})
