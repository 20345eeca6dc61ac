// Installs what is missing and builds the page and the server, without starting anything: for a container or a service.
import { prepare } from './prepare.mjs'

await prepare()
