/** Every address of the product, in one place. */
export const paths = {
  auth: '/auth',
  dashboard: '/',
  founders: '/founders',
  addFounder: '/founders/add',
  companies: '/companies',
  addCompany: '/companies/add',
  myRecords: '/my-records',
} as const
