import type { founderFields } from '#contract/founder-fields.ts'
import { about, created, type KindHeaders, linkedIn, notes, rating } from '#server/records/headers.ts'

const first = [
  ...['firstname', 'givenname', 'namefirstname', 'namefirst', 'first', 'vorname', 'prenom', 'primernombre', 'nombre'],
  'nombredepila',
]
const last = [
  ...['lastname', 'familyname', 'surname', 'namelastname', 'namelast', 'last', 'nachname', 'familienname', 'zuname'],
  ...['nomdefamille', 'nom', 'apellido', 'apellidos'],
]
const whole = ['name', 'fullname', 'vollstandigername', 'nomcomplet', 'nombrecompleto', 'nombreyapellidos']

/** The columns of files that fill the fields of a founder. */
export const founderHeaders: KindHeaders<typeof founderFields> = {
  columns: {
    name: [
      ...whole,
      ...['foundername', 'founder', 'personname', 'person', 'contactname', 'contact', 'candidate', 'people', 'record'],
      ...['grunder', 'grunderin', 'ansprechpartner', 'kontakt', 'fondateur', 'fundador', 'contacto', 'nom', 'nombre'],
    ],
    linkedIn: [...linkedIn, 'profileurl', 'url', 'urls', 'links'],
    email: [
      ...['email', 'primaryemail', 'emailaddress', 'workemail', 'emails', 'emailaddresses', 'mail', 'emailadresse'],
      ...['mailadresse', 'adresseemail', 'adressemail', 'courriel', 'correo', 'correoelectronico'],
    ],
    rating,
    ...created,
    company: [
      ...['company', 'currentcompany', 'companyname', 'organization', 'organisation', 'currentorganization'],
      ...['organizations', 'organisations', 'associatedcompany', 'primarycompany', 'companies', 'employer', 'startup'],
      ...['firm', 'firma', 'unternehmen', 'arbeitgeber', 'entreprise', 'societe', 'employeur', 'empresa', 'compania'],
    ],
    title: [
      ...['title', 'jobtitle', 'currenttitle', 'currentjobtitle', 'jobtitles', 'position', 'role', 'stelle'],
      ...['berufsbezeichnung', 'funktion', 'rolle', 'poste', 'fonction', 'titre', 'intituleduposte', 'cargo'],
      ...['puesto', 'rol'],
    ],
    bio: ['bio', 'biography', 'aboutme', 'uberich', 'biografie', 'biographie', 'biografia', ...about],
    notes,
  },
  nameParts: { first, last, whole },
  signs: new Set([
    ...first.filter((name) => name !== 'nombre'),
    ...last.filter((name) => name !== 'nom'),
    ...['fullname', 'nomcomplet', 'nombrecompleto', 'foundername', 'founder', 'personname', 'person', 'personid'],
    ...['contactname', 'linkedin', 'linkedinurl', 'linkedinprofile'],
    ...['jobtitle', 'position', 'title', 'role', 'email', 'emails', 'emailaddress', 'emailaddresses', 'primaryemail'],
    ...['workemail', 'emailadresse', 'courriel', 'correo', 'correoelectronico', 'berufsbezeichnung', 'poste', 'cargo'],
    ...['puesto', 'fonction'],
  ]),
  fileNames: /founder|people|person|contact|connection|gr[üu]nder|kontakt|fondateur|fundador|contacto/i,
}
