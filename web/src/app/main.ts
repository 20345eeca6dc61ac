import './styles.ts'
import { frameFile, isFramed, pageFiles } from './page-files.ts'

// The first module of the page, and a small one: it asks for the frame, the page at this address, and what draws them.
if (isFramed(location.pathname)) void frameFile.load()
void pageFiles[location.pathname]?.load()
void import('./start.tsx')
