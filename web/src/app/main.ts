import './styles.ts'
import { frameFile, isFramed, pageFiles } from './page-files.ts'
import { begun } from './snapshot/snapshot.ts'

// The first module of the page, and a small one: it asks for the frame, the page at this address, and what draws them. What
// they are made of would hold up the eye's first sight of the page.
await begun()
if (isFramed(location.pathname)) void frameFile.load()
void pageFiles[location.pathname]?.load()
void import('./start.tsx')
