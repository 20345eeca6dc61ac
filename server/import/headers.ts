import type { ImportField } from '#contract/import.ts'
import type { KindName } from '#contract/kinds.ts'

// The names of columns as products export them and people write them, in English, German, French and Spanish. Letters
// and digits only, without accents, most certain first.

export type OneColumn = Exclude<ImportField, 'name'>

export const FIRST = [
  ...['firstname', 'givenname', 'namefirstname', 'namefirst', 'first', 'vorname', 'prenom', 'primernombre', 'nombre'],
  'nombredepila',
]
export const LAST = [
  ...['lastname', 'familyname', 'surname', 'namelastname', 'namelast', 'last', 'nachname', 'familienname', 'zuname'],
  ...['nomdefamille', 'nom', 'apellido', 'apellidos'],
]
/** Whole names that are as certain as a first and a last name. */
export const WHOLE = ['name', 'fullname', 'vollstandigername', 'nomcomplet', 'nombrecompleto', 'nombreyapellidos']

const COMMON: Partial<Record<OneColumn, string[]>> = {
  rating: [
    ...['rating', 'score', 'stars', 'bewertung', 'punktzahl', 'punkte', 'evaluation', 'puntuacion', 'calificacion'],
    'valoracion',
  ],
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

const NOTES = [
  ...['notes', 'note', 'originalnotes', 'comments', 'comment', 'remarks', 'notizen', 'notiz', 'kommentare'],
  ...['kommentar', 'bemerkungen', 'bemerkung', 'anmerkungen', 'commentaires', 'commentaire', 'remarques', 'notas'],
  ...['nota', 'comentarios', 'comentario', 'observaciones'],
]

export const LINKEDIN = [
  ...['linkedin', 'linkedinurl', 'linkedinprofile', 'linkedinprofileurl', 'linkedinpage', 'linkedinlink'],
  ...['personlinkedinurl', 'linkedinbio', 'linkedinurls', 'socialmedialinkedin', 'linkedinprofil', 'profillinkedin'],
  ...['perfillinkedin', 'perfildelinkedin', 'urldelinkedin', 'urllinkedin'],
]
/** Columns that may hold another address than that of a LinkedIn profile. */
const PROFILES = ['profileurl', 'url', 'urls', 'links']

const ABOUT = [
  ...['description', 'about', 'aboutus', 'summary', 'beschreibung', 'descripcion', 'resume', 'resumen'],
  ...['zusammenfassung', 'apropos', 'acercade'],
]

/** The fields of each kind, and the columns that fill them. An earlier field takes a column that would fill two. */
export const COLUMNS: Record<KindName, { name: string[]; others: Partial<Record<OneColumn, string[]>> }> = {
  founder: {
    name: [
      ...WHOLE,
      ...['foundername', 'founder', 'personname', 'person', 'contactname', 'contact', 'candidate', 'people', 'record'],
      ...['grunder', 'grunderin', 'ansprechpartner', 'kontakt', 'fondateur', 'fundador', 'contacto', 'nom', 'nombre'],
    ],
    others: {
      linkedIn: [...LINKEDIN, ...PROFILES],
      email: [
        ...['email', 'primaryemail', 'emailaddress', 'workemail', 'emails', 'emailaddresses', 'mail', 'emailadresse'],
        ...['mailadresse', 'adresseemail', 'adressemail', 'courriel', 'correo', 'correoelectronico'],
      ],
      ...COMMON,
      company: [
        ...['company', 'currentcompany', 'companyname', 'organization', 'organisation', 'currentorganization'],
        ...[
          'organizations',
          'organisations',
          'associatedcompany',
          'primarycompany',
          'companies',
          'employer',
          'startup',
        ],
        ...['firma', 'unternehmen', 'arbeitgeber', 'entreprise', 'societe', 'employeur', 'empresa', 'compania'],
      ],
      title: [
        ...['title', 'jobtitle', 'currenttitle', 'currentjobtitle', 'jobtitles', 'position', 'role', 'stelle'],
        ...['berufsbezeichnung', 'funktion', 'rolle', 'poste', 'fonction', 'titre', 'intituleduposte', 'cargo'],
        ...['puesto', 'rol'],
      ],
      bio: ['bio', 'biography', 'aboutme', 'uberich', 'biografie', 'biographie', 'biografia', ...ABOUT],
      notes: NOTES,
    },
  },
  company: {
    name: [
      ...['name', 'companyname', 'company', 'organizationname', 'organisationname', 'organization', 'organisation'],
      ...['accountname', 'account', 'startupname', 'startup', 'record', 'firmenname', 'firma', 'unternehmensname'],
      ...['unternehmen', 'nomdelentreprise', 'nomdelasociete', 'entreprise', 'societe', 'nombredelaempresa', 'empresa'],
      ...['compania', 'nom', 'nombre'],
    ],
    others: {
      linkedIn: [...LINKEDIN, 'linkedincompanypage', 'companylinkedinurl', 'companylinkedin'],
      website: [
        ...['website', 'websiteurl', 'homepage', 'url', 'urls', 'companywebsite', 'webpage', 'site'],
        ...['companydomainname', 'domain', 'domains', 'companydomain', 'primarydomain', 'webseite', 'internetseite'],
        ...['siteweb', 'siteinternet', 'sitioweb', 'paginaweb', 'web'],
      ],
      ...COMMON,
      industry: [
        ...['industry', 'industries', 'sector', 'sectors', 'primaryindustry', 'branche', 'industrie', 'secteur'],
        ...['secteurdactivite', 'industria', 'rubro'],
      ],
      place: [
        ...['place', 'headquarters', 'hq', 'hqlocation', 'primarylocation', 'location', 'city', 'ort', 'standort'],
        ...['sitz', 'hauptsitz', 'stadt', 'siege', 'siegesocial', 'lieu', 'ville', 'sede', 'ubicacion', 'ciudad'],
      ],
      founded: [
        ...['founded', 'foundedyear', 'yearfounded', 'foundingyear', 'foundationdate', 'foundeddate', 'foundedon'],
        ...['grundungsjahr', 'gegrundet', 'grundung', 'anneedecreation', 'anneedefondation', 'fondeeen'],
        ...['anodefundacion', 'fundacion', 'fundadaen'],
      ],
      employees: [
        ...['employees', 'numberofemployees', 'employeecount', 'employeerange', 'headcount', 'teamsize', 'companysize'],
        ...['mitarbeiter', 'mitarbeiterzahl', 'anzahlmitarbeiter', 'effectif', 'effectifs', 'nombredesalaries'],
        ...['nombredemployes', 'empleados', 'numerodeempleados'],
      ],
      description: ['companydescription', ...ABOUT, 'oneliner', 'pitch', 'tagline'],
      notes: NOTES,
    },
  },
}

/** Columns that may hold something else than the field, so that a person should look at them. */
export const VAGUE = new Set([...PROFILES, 'record', 'people', 'account', 'candidate', 'first', 'last', 'size', 'nota'])

/** Columns that are typical of a list of people, and of a list of companies. */
export const SIGNS: Record<KindName, Set<string>> = {
  founder: new Set([
    ...FIRST.filter((name) => name !== 'nombre'),
    ...LAST.filter((name) => name !== 'nom'),
    ...['fullname', 'nomcomplet', 'nombrecompleto', 'foundername', 'founder', 'personname', 'person', 'personid'],
    ...['contactname', 'linkedin', 'linkedinurl', 'linkedinprofile'],
    ...['jobtitle', 'position', 'title', 'role', 'email', 'emails', 'emailaddress', 'emailaddresses', 'primaryemail'],
    ...['workemail', 'emailadresse', 'courriel', 'correo', 'correoelectronico', 'berufsbezeichnung', 'poste', 'cargo'],
    ...['puesto', 'fonction'],
  ]),
  company: new Set([
    ...['companyname', 'organizationname', 'organisationname', 'organizationid', 'accountname', 'firmenname'],
    ...['unternehmensname', 'nomdelentreprise', 'nombredelaempresa'],
    ...['startup', 'startupname', 'companywebsite', 'companydescription', 'linkedincompanypage'],
    ...['domain', 'domains', 'companydomainname', 'companydomain', 'primarydomain'],
    ...['website', 'websiteurl', 'webseite', 'siteweb', 'sitioweb'],
    ...['industry', 'employees', 'employeerange', 'numberofemployees', 'headquarters', 'foundedyear', 'foundationdate'],
    ...['founded', 'yearfounded', 'fundingraised', 'totalfunding', 'lastfundingamount'],
    ...['branche', 'mitarbeiter', 'mitarbeiterzahl', 'grundungsjahr', 'hauptsitz', 'secteur', 'effectif', 'empleados'],
  ]),
}
