import { z } from 'zod'

// A backup is one file: a header line of JSON; the rows, compressed by gzip; and the SHA-256 of all of
// that as the last line. The compressed part consists of lines again:
//
//   #table {"name":"accounts","columns":["id",…]}
//   {"id":"0197…","name":"Ada",…}      a row: each value as PostgreSQL writes it, or null
//   #rows 1
//   #sequence {"name":"…","last":"7"}
//   #end

export const BackupHeader = z.object({
  format: z.literal('sourcebook-backup'),
  version: z.int(),
  /** The number of the newest migration of the rows. */
  schema: z.int().positive(),
  sourcebook: z.string(),
  takenAt: z.iso.datetime(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

export const FORMAT_VERSION = 1

/** The last line: 64 digits and a line feed. */
export const CHECKSUM_BYTES = 65
export const checksumLine = (hex: string) => `${hex}\n`

export type Marker =
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'rows'; count: number }
  | { kind: 'sequence'; name: string; last: string }
  | { kind: 'end' }

export const markerLine = ({ kind, ...rest }: Marker): string => {
  if (kind === 'end') return '#end\n'
  return `#${kind} ${JSON.stringify('count' in rest ? rest.count : rest)}\n`
}

/** The content of a line that is not a row. Throws what JSON throws. */
export function readMarker(line: string): Marker {
  const [, kind, rest] = /^#(table|rows|sequence|end) ?(.*)$/s.exec(line) ?? []
  if (kind === 'end') return { kind }
  const value = JSON.parse(rest ?? '')
  if (kind === 'rows') return { kind, count: Number(value) }
  return { kind, ...value } as Marker
}
