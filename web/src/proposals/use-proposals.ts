import { useLocation, useNavigate } from 'react-router'
import { useLink } from '#web/filled/use-link.ts'
import { kinds } from '#web/kinds.ts'
import { paths } from '#web/paths.ts'
import { type FilledLink, filledLink, keepLink } from './links.ts'

/** The proposals of a link, and how to open one by its place. `left` of the addresses lead to no form of ours. */
export function useProposals() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [addresses, keep] = useLink<string[]>(paths.proposals)
  const links = (addresses ?? []).map((address) => filledLink(kinds, address))
  const proposals = links.filter((link): link is FilledLink => link !== undefined)
  const open = (place: number) => {
    const link = proposals[place]
    if (!link) return
    keepLink(link)
    const isBetween = pathname !== paths.proposals
    void navigate(link.address, { replace: isBetween, state: { proposal: place } })
  }
  return { proposals, left: links.length - proposals.length, open, clear: () => keep(null) }
}
