import type { ImportField, Mapping } from '#contract/import.ts'
import type { KindName } from '#contract/kinds.ts'

type OneColumn = Exclude<ImportField, 'name'>

/** Names of columns as products export them and people write them: letters and digits only, most certain first. */
const COMMON: Partial<Record<OneColumn, string[]>> = {
  notes: ['notes', 'note', 'originalnotes', 'comments', 'comment', 'remarks'],
  rating: ['rating', 'score', 'stars'],
  createdBy: ['createdby', 'addedby', 'creator', 'author'],
  createdAt: [
    ...['createdat', 'createdtime', 'createddate', 'createdate', 'createdon', 'creationdate', 'recordcreatedat'],
    ...['dateadded', 'dateadd', 'addedat', 'addedon', 'added', 'created'],
  ],
}

const FIRST = ['firstname', 'givenname', 'namefirstname', 'namefirst']
const LAST = ['lastname', 'familyname', 'surname', 'namelastname', 'namelast']

const LINKEDIN = [
  ...['linkedin', 'linkedinurl', 'linkedinprofile', 'linkedinprofileurl', 'linkedinpage', 'linkedinlink'],
  ...['personlinkedinurl', 'linkedinbio', 'linkedinurls', 'socialmedialinkedin'],
]

/** The fields of each kind, and the columns that fill them. */
const COLUMNS: Record<KindName, { name: string[]; others: Partial<Record<OneColumn, string[]>> }> = {
  founder: {
    name: [
      ...['name', 'fullname', 'foundername', 'founder', 'personname', 'person', 'contactname', 'contact'],
      ...['candidate', 'people', 'record'],
    ],
    others: { linkedIn: [...LINKEDIN, 'profileurl', 'url', 'urls', 'links'], ...COMMON },
  },
  company: {
    name: [
      ...['name', 'companyname', 'company', 'organizationname', 'organisationname', 'organization', 'organisation'],
      ...['accountname', 'account', 'startupname', 'startup', 'record'],
    ],
    others: {
      linkedIn: [...LINKEDIN, 'linkedincompanypage', 'companylinkedinurl'],
      website: [
        ...['website', 'websiteurl', 'homepage', 'url', 'urls', 'companywebsite', 'webpage', 'site'],
        ...['companydomainname', 'domain', 'domains', 'companydomain', 'primarydomain'],
      ],
      description: [
        ...['description', 'companydescription', 'about', 'aboutus', 'summary', 'oneliner', 'pitch', 'tagline'],
      ],
      ...COMMON,
    },
  },
}

/** Columns that are typical of a list of people, and of a list of companies. */
const SIGNS: Record<KindName, Set<string>> = {
  founder: new Set([
    ...FIRST,
    ...LAST,
    ...['fullname', 'foundername', 'founder', 'personname', 'person', 'personid', 'contactname'],
    ...['linkedin', 'linkedinurl', 'linkedinprofile'],
    ...['jobtitle', 'position', 'title', 'role', 'email', 'emails', 'emailaddress', 'emailaddresses', 'primaryemail'],
  ]),
  company: new Set([
    ...['companyname', 'organizationname', 'organisationname', 'organizationid', 'accountname'],
    ...['startup', 'startupname', 'companywebsite', 'companydescription', 'linkedincompanypage'],
    ...['domain', 'domains', 'companydomainname', 'companydomain', 'primarydomain'],
    ...['website', 'websiteurl'],
    ...['industry', 'employees', 'employeerange', 'numberofemployees', 'headquarters', 'foundedyear', 'foundationdate'],
    ...['founded', 'yearfounded', 'fundingraised', 'totalfunding', 'lastfundingamount'],
  ]),
}

const keyOf = (column: string) =>
  column
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const KNOWN = new Set([
  ...[FIRST, LAST, ...Object.values(SIGNS).map((signs) => [...signs])].flat(),
  ...Object.values(COLUMNS).flatMap(({ name, others }) => [...name, ...Object.values(others).flat()]),
])

export const isKnownColumn = (column: string) => KNOWN.has(keyOf(column))

/** The fields that a column of the file fills, by the names of the columns. */
export function guessMapping(kind: KindName, columns: string[]): Mapping {
  const keys = columns.map(keyOf)
  const find = (names: string[]) => names.map((name) => keys.indexOf(name)).find((at) => at >= 0)
  const mapping: Mapping = {}
  const whole = find(COLUMNS[kind].name)
  const first = find(FIRST)
  const last = find(LAST)
  // Next to a first and a last name, only a column of names is as certain: others, such as Record, may hold ids.
  const isWhole = whole !== undefined && /^(full)?name$/.test(keys[whole] ?? '')
  if (kind === 'founder' && !isWhole && first !== undefined && last !== undefined) mapping.name = [first, last]
  else if (whole !== undefined) mapping.name = whole
  for (const [field, names] of Object.entries(COLUMNS[kind].others) as [OneColumn, string[]][]) {
    const column = find(names)
    if (column !== undefined) mapping[field] = column
  }
  return mapping
}

/** The kind of a file's rows, by the names of its columns, else by the name of the file. */
export function guessKind(columns: string[], fileName = ''): KindName {
  const count = (kind: KindName) => new Set(columns.map(keyOf).filter((key) => SIGNS[kind].has(key))).size
  const founders = count('founder')
  const companies = count('company')
  if (founders !== companies) return founders > companies ? 'founder' : 'company'
  return /compan|organi[sz]ation|startup|account/i.test(fileName) ? 'company' : 'founder'
}

/** The first of several addresses, which exports separate by commas, semicolons or spaces. */
export const firstAddress = (text: string): string =>
  text.split(/^https?:/i.test(text) ? /[,;]?\s+/ : /[,;\s]+/, 1)[0] ?? text
