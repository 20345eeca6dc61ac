import { useQuery } from '@tanstack/react-query'
import { qualityKinds, qualityWords } from '#contract/quality-kinds.ts'
import { kinds } from '#web/kinds.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { getQuality } from './api.ts'
import { listPath, NumberLink, Part } from './numbers.tsx'

const rows = [
  ...qualityKinds.map((name) => ({ name, label: qualityWords[name], filters: { quality: name } })),
  { name: 'unassigned' as const, label: 'No responsible fellow', filters: { responsible: 'none' } },
]

/** What records lack. Each number opens its records. */
export function QualityPart() {
  const { data, error, refetch } = useQuery(getQuality)
  if (error && !data) return <ErrorState title="Quality could not be loaded" error={error} retry={refetch} />
  return (
    <Part
      title="Quality"
      about="Records that lack something. Open a number to see them."
      columns={['Lacking', ...kinds.map(({ plural }) => plural)]}
    >
      {rows.map(({ name, label, filters }) => (
        <tr key={name}>
          <th scope="row">{label}</th>
          {kinds.map((kind) => (
            <td key={kind.name}>
              {data ? (
                <NumberLink
                  count={data[name][kind.name]}
                  to={listPath(kind.name, filters)}
                  label={`${kind.plural}, ${label}`}
                />
              ) : (
                '…'
              )}
            </td>
          ))}
        </tr>
      ))}
    </Part>
  )
}
