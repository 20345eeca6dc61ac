import type { Field } from '#contract/fields.ts'

// The names of columns as products export them and people write them, in English, German, French and Spanish. Letters
// and digits only, without accents, most certain first. This file has the names that all kinds share.

/** The columns that fill the fields of a kind. Every field that files have needs names. */
export type KindHeaders<Fields extends readonly Field[] = readonly (Field & { file: number })[]> = {
  /** An earlier field takes a column that would fill two. */
  columns: Record<Extract<Fields[number], { file: number }>['name'], readonly string[]>
  /** Two columns that hold a name, and whole names that are as certain as both. */
  nameParts?: { first: readonly string[]; last: readonly string[]; whole: readonly string[] }
  /** Columns that are typical of a list of this kind. */
  signs: ReadonlySet<string>
  /** Files that are named after this kind. */
  fileNames: RegExp
}

export const created = {
  createdBy: [
    ...['createdby', 'addedby', 'creator', 'author', 'erstelltvon', 'angelegtvon', 'hinzugefugtvon', 'creepar'],
    ...['ajoutepar', 'creadopor', 'anadidopor', 'agregadopor'],
  ],
  createdAt: [
    ...['createdat', 'createdtime', 'createddate', 'createdate', 'createdon', 'creationdate', 'recordcreatedat'],
    ...['dateadded', 'dateadd', 'addedat', 'addedon', 'added', 'created', 'erstelltam', 'erstellungsdatum'],
    ...['angelegtam', 'hinzugefugtam', 'creele', 'datedecreation', 'ajoutele', 'datedajout', 'creadoel'],
    ...['fechadecreacion', 'fechadealta', 'anadidoel'],
  ],
}

export const rating = [
  ...['rating', 'score', 'stars', 'bewertung', 'punktzahl', 'punkte', 'evaluation', 'puntuacion', 'calificacion'],
  'valoracion',
]

export const notes = [
  ...['notes', 'note', 'originalnotes', 'comments', 'comment', 'remarks', 'notizen', 'notiz', 'kommentare'],
  ...['kommentar', 'bemerkungen', 'bemerkung', 'anmerkungen', 'commentaires', 'commentaire', 'remarques', 'notas'],
  ...['nota', 'comentarios', 'comentario', 'observaciones'],
]

export const linkedIn = [
  ...['linkedin', 'linkedinurl', 'linkedinprofile', 'linkedinprofileurl', 'linkedinpage', 'linkedinlink'],
  ...['personlinkedinurl', 'linkedinbio', 'linkedinurls', 'socialmedialinkedin', 'linkedinprofil', 'profillinkedin'],
  ...['perfillinkedin', 'perfildelinkedin', 'urldelinkedin', 'urllinkedin'],
]

export const about = [
  ...['description', 'about', 'aboutus', 'summary', 'beschreibung', 'descripcion', 'resume', 'resumen'],
  ...['zusammenfassung', 'apropos', 'acercade'],
]
