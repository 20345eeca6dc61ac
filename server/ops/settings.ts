import { providerDefinitions } from '#server/enrichment/providers/list.ts'
import { namesOfSettings, readEnvironment, type Settings } from '#server/env.ts'

/** Reads and checks the environment, with the settings of every provider of public data. */
export const readSettings = (environment: Record<string, string | undefined>): Settings =>
  readEnvironment(environment, providerDefinitions)

export const settingNames = namesOfSettings(providerDefinitions)
