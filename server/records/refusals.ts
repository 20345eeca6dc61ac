import { MergedAway, notFound } from '#server/http/errors.ts'

/** What every call on one record refuses, for the heads of their routes. */
export const RECORD_REFUSALS = [notFound('There is no record with this id'), new MergedAway('', '')]
