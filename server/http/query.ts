import { z } from 'zod'
import type { App } from './app.ts'
import { unknownParameter } from './errors.ts'
import { addRefusals } from './head.ts'

/**
 * Makes every call of this scope refuse query parameters that it does not have. A call with a loose schema of its query
 * accepts any others.
 */
export function refuseUnknownParameters(app: App): void {
  const refusal = unknownParameter('name')
  app.addHook('onRoute', (route) => {
    const query = route.schema?.querystring ?? z.object({})
    if (!(query instanceof z.ZodObject)) throw new Error(`The query of ${route.url} must be an object`)
    const isLoose = query.def.catchall !== undefined
    if (!isLoose) addRefusals(route, refusal)
    route.schema = { ...route.schema, querystring: isLoose ? query : query.strict() }
  })
}
