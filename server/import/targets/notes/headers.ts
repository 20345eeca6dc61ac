import { guessColumns, keyOf } from '#server/import/read/columns/mapping.ts'
import { kindHeaders } from '#server/kind-headers.ts'
import { created, linkedIn, notes } from '#server/records/headers.ts'

// The columns of files of notes, as products export them and people write them, in English, German, French and Spanish.

/** Columns of texts that only a file of notes has. */
const texts = [
  ...['notecontent', 'notetext', 'notebody', 'hsnotebody', 'contentofnote', 'bodyofnote', 'notizinhalt', 'notiztext'],
  ...['textdernotiz', 'inhaltdernotiz', 'contenudelanote', 'textedelanote', 'contenidodelanota', 'textodelanota'],
]

const text = [
  ...texts,
  ...[...notes, 'content', 'text', 'body', 'message', 'inhalt', 'nachricht', 'contenu', 'texte', 'contenido', 'texto'],
]

const record = [
  ...['record', 'recordname', 'nameoftherecord', 'name', 'fullname', 'associatedrecord', 'associatedcontact'],
  ...['associatedcompany', 'contact', 'contactname', 'person', 'personname', 'people', 'founder', 'foundername'],
  ...['company', 'companyname', 'organization', 'organisation', 'organizationname', 'subject', 'about'],
  ...['datensatz', 'vollstandigername', 'kontakt', 'grunder', 'grunderin', 'firma', 'unternehmen', 'personname'],
  ...['fiche', 'nomcomplet', 'nom', 'personne', 'fondateur', 'entreprise', 'societe', 'organisationname'],
  ...['registro', 'nombrecompleto', 'nombre', 'contacto', 'persona', 'fundador', 'empresa', 'compania'],
]

const address = [
  ...['taggedentity', ...linkedIn, 'address', 'recordaddress', 'recordurl', 'profileurl', 'website', 'domain', 'url'],
  ...(kindHeaders.founder.columns.email ?? []),
  ...[
    'webseite',
    'internetseite',
    'adresse',
    'siteweb',
    'siteinternet',
    'domaine',
    'sitioweb',
    'paginaweb',
    'direccion',
  ],
  'dominio',
]

const kind = [
  ...['kind', 'type', 'recordtype', 'objecttype', 'entitytype', 'art', 'typ', 'datensatztyp', 'genre', 'typedefiche'],
  ...['typedobjet', 'tipo', 'tipoderegistro', 'tipodeobjeto'],
]

const author = [
  ...['author', 'authoremail', 'noteauthor', 'writtenby', 'owner', 'activityassignedto', 'user', 'autor', 'autorin'],
  ...['verfasser', 'verfasserin', 'verfasstvon', 'geschriebenvon', 'auteur', 'autrice', 'redigepar', 'ecritpar'],
  ...['autora', 'escritopor', ...created.createdBy],
]

const date = [
  ...['date', 'notedate', 'datecreated', 'activitydate', 'hstimestamp', 'timestamp', 'time', 'writtenon', 'datum'],
  ...['notizdatum', 'zeitpunkt', 'geschriebenam', 'datedelanote', 'ecritle', 'fecha', 'fechadelanota', 'escritoel'],
  ...created.createdAt,
]

/** The column of the text comes first, and the author before the record, whose names say less. */
export const guessNoteColumns = (columns: string[]) =>
  guessColumns(
    columns,
    { text, author, date, address, kind },
    { field: 'record', headers: { names: record, parts: kindHeaders.founder.nameParts } },
  )

/**
 * Whether it is a file of notes: by a column that no other file has, or where all of its columns are those of notes, with
 * author and date among them. Affinity names its columns by what they hold.
 */
export function looksLikeNotes(columns: string[]): boolean {
  const keys = columns.map(keyOf)
  if (texts.some((name) => keys.includes(name)) || ['taggedentity', 'content'].every((name) => keys.includes(name))) {
    return true
  }
  const mapping = guessNoteColumns(columns)
  const { text, author: by, date: on, record: about = mapping.address } = mapping
  if ([text, by, on, about].includes(undefined) || Object.values(mapping).flat().length < columns.length) return false
  // A list of people may say who added each of them, and when.
  const ofRecords = [...created.createdBy, ...created.createdAt].filter((name) => name !== 'author')
  return [by, on].every((at) => !ofRecords.includes(keys[at as number] ?? ''))
}
