/** The rows of moved tables have the names of the schema in the columns that the declaration names. */
export type ModelNote = {
  recordId: string
  account: string | null
  text: string | null
  content: string
  createdAt: string
}
export type Pair = { founderId: string; companyId: string }
export type ModelLink = Pair & { role: string; account: string; createdAt: string }
export type ModelOpinion = {
  recordId: string
  account: string
  rating: number
  isAfterReading: boolean
  givenAt: string
  isChanged: boolean
}
export type ModelTag = { recordId: string; tagId: string; account: string; addedAt: string }
export type Rows = {
  notes: Map<string, ModelNote>
  links: Map<string, ModelLink>
  opinions: Map<string, ModelOpinion>
  record_tags: Map<string, ModelTag>
}
