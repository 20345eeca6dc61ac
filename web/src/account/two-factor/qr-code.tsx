import encodeQR from 'qr'

/** The white border, in modules: with fewer, some cameras do not find the code. */
const QUIET = 4

/** Black on white in both colour schemes, since some cameras cannot read the reverse. */
export const QrCode = ({ text }: { text: string }) => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })
  const black = rows.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for an authenticator app"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={black.join('')} fill="#000" />
    </svg>
  )
}
