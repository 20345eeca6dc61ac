import type { ReactNode } from 'react'
import { useRights } from './use-rights.ts'

/** Acts that change something, for those who may. */
export const ChangeActs = ({ children }: { children: ReactNode }) => useRights()('change') && children
