// Generators of clients call the API of TypeScript, which version 7 does not have.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? '@typescript/typescript6' : name, context),
})
