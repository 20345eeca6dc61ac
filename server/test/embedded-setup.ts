import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type EmbeddedTemplates, makeTemplates } from './embedded-templates.ts'

declare module 'vitest' {
  interface ProvidedContext {
    embedded: EmbeddedTemplates
  }
}

/** Makes embedded databases once a run, for all projects; every test starts from a copy. */
export default async function setup(project: TestProject) {
  const place = await mkdtemp(join(tmpdir(), 'sourcebook-templates-'))
  project.provide('embedded', await makeTemplates(place))
  return () => rm(place, { recursive: true, force: true })
}
