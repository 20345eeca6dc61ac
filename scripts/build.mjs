// Installs missing packages and builds the page and the server, without starting them: for a container or a service.
import { prepare } from './prepare.mjs'

await prepare()
