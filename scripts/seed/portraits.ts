import { type EncodedPicture, encodePicture } from '#server/enrichment/pictures/encode.ts'

// Portraits for people who do not exist: a few shapes in calm tints, different for each place in the list.

type Color = [red: number, green: number, blue: number]

const SIZE = 512
const GROUNDS: Color[] = [
  [214, 226, 233],
  [226, 219, 206],
  [209, 224, 210],
  [231, 213, 206],
  [217, 212, 231],
  [205, 223, 224],
  [235, 226, 198],
]
const SKINS: Color[] = [
  [141, 85, 54],
  [232, 190, 160],
  [198, 134, 92],
  [245, 210, 184],
  [92, 58, 40],
]
const HAIRS: Color[] = [
  [38, 32, 32],
  [122, 82, 52],
  [72, 52, 44],
  [160, 152, 146],
]
const CLOTHES: Color[] = [
  [62, 84, 112],
  [110, 74, 86],
  [70, 102, 88],
]

/** Whether a point is in an ellipse. */
const isIn = (x: number, y: number, [cx, cy, rx, ry]: [number, number, number, number]) =>
  ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1

export async function portrait(place: number): Promise<EncodedPicture> {
  const { default: sharp } = await import('sharp')
  const pixels = Buffer.alloc(SIZE * SIZE * 3)
  for (let row = 0; row < SIZE; row += 1) {
    for (let column = 0; column < SIZE; column += 1) {
      pixels.set(colorAt(place, column / SIZE, row / SIZE), (row * SIZE + column) * 3)
    }
  }
  const png = sharp(pixels, { raw: { width: SIZE, height: SIZE, channels: 3 } }).png()
  return encodePicture(await png.toBuffer())
}

function colorAt(place: number, x: number, y: number): Color {
  const of = (colors: Color[]) => colors[place % colors.length] as Color
  const isLong = place % 2 === 0
  const brow = 0.3 + (place % 3) * 0.02 + (x - 0.5) * (place % 5 < 2 ? 0.15 : -0.1)
  if (isIn(x, y, [0.5, 0.45, 0.18, 0.22]) && y > brow) return of(SKINS)
  if (isIn(x, y, [0.5, 0.4, 0.21, 0.22]) && y < 0.45) return of(HAIRS)
  if (Math.abs(x - 0.5) < 0.075 && y > 0.5 && y < 0.76) return of(SKINS)
  if (isIn(x, y, [0.5, 1.06, 0.4, 0.34])) return of(CLOTHES)
  if (isLong && isIn(x, y, [0.5, 0.5, 0.24, 0.28])) return of(HAIRS)
  return of(GROUNDS)
}
