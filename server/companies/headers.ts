import type { companyFields } from '#contract/company-fields.ts'
import { about, created, type KindHeaders, linkedIn, notes, rating } from '#server/records/headers.ts'

/** The columns of files that fill the fields of a company. */
export const companyHeaders: KindHeaders<typeof companyFields> = {
  columns: {
    name: [
      ...['name', 'companyname', 'company', 'organizationname', 'organisationname', 'organization', 'organisation'],
      ...['accountname', 'account', 'startupname', 'startup', 'record', 'firmenname', 'firma', 'unternehmensname'],
      ...['unternehmen', 'nomdelentreprise', 'nomdelasociete', 'entreprise', 'societe', 'nombredelaempresa', 'empresa'],
      ...['compania', 'nom', 'nombre'],
    ],
    linkedIn: [...linkedIn, 'linkedincompanypage', 'companylinkedinurl', 'companylinkedin'],
    website: [
      ...['website', 'websiteurl', 'homepage', 'url', 'urls', 'companywebsite', 'webpage', 'site'],
      ...['companydomainname', 'domain', 'domains', 'companydomain', 'primarydomain', 'webseite', 'internetseite'],
      ...['siteweb', 'siteinternet', 'sitioweb', 'paginaweb', 'web'],
    ],
    rating,
    ...created,
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
    description: ['companydescription', ...about, 'oneliner', 'pitch', 'tagline'],
    notes,
  },
  signs: new Set([
    ...['companyname', 'organizationname', 'organisationname', 'organizationid', 'accountname', 'firmenname'],
    ...['unternehmensname', 'nomdelentreprise', 'nombredelaempresa'],
    ...['startup', 'startupname', 'companywebsite', 'companydescription', 'linkedincompanypage'],
    ...['domain', 'domains', 'companydomainname', 'companydomain', 'primarydomain'],
    ...['website', 'websiteurl', 'webseite', 'siteweb', 'sitioweb'],
    ...['industry', 'employees', 'employeerange', 'numberofemployees', 'headquarters', 'foundedyear', 'foundationdate'],
    ...['founded', 'yearfounded', 'fundingraised', 'totalfunding', 'lastfundingamount'],
    ...['branche', 'mitarbeiter', 'mitarbeiterzahl', 'grundungsjahr', 'hauptsitz', 'secteur', 'effectif', 'empleados'],
  ]),
  fileNames: /compan|organi[sz]ation|startup|account|firmen|unternehmen|entreprise|empresa/i,
}
