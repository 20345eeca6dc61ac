import type { Company } from '#contract/company.ts'
import {
  companyLists,
  companyNotes,
  deleteCompany,
  getCompany,
  myCompanies,
  renewCompany,
  updateCompany,
} from '#web/companies/api.ts'
import { CompanyCard } from '#web/companies/company-card.tsx'
import type { RecordKind } from './record-kind.ts'

export const companyKind: RecordKind<Company> = {
  noun: 'Company',
  lists: companyLists,
  notes: companyNotes,
  mine: myCompanies,
  get: getCompany,
  update: updateCompany,
  delete: deleteCompany,
  renew: renewCompany,
  notedIds: ({ companyNotes }) => companyNotes.map(({ companyId }) => companyId),
  Card: ({ record, ...others }) => <CompanyCard company={record} {...others} />,
}
