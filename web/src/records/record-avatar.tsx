import { Avatar } from '@mantine/core'
import { pictureLink } from './web-links.ts'

type RecordAvatarProps = { name: string; picture?: string | undefined; size: 40 | 56; square?: boolean }

/** The first letter as a reader sees it: one emoji or one letter with its accents, not half of it. */
const initialOf = (name: string) => {
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name.trim())
  return first?.segment.toLocaleUpperCase() ?? '?'
}

/** The least of the sizes that the server keeps; it has it twice and three times as large for finer screens. */
const LEAST_SIZE = 56

/** The picture, or the initial where there is none or it cannot be loaded. Decoration: the name stands beside it. */
export const RecordAvatar = ({ name, picture, size, square }: RecordAvatarProps) => (
  <Avatar
    src={pictureLink(picture, LEAST_SIZE) ?? null}
    alt=""
    size={size}
    radius={square ? 'md' : '50%'}
    aria-hidden="true"
    imageProps={{
      srcSet: [2, 3].map((density) => `${pictureLink(picture, LEAST_SIZE * density)} ${density}x`).join(', '),
      loading: 'lazy',
      decoding: 'async',
      width: size,
      height: size,
      referrerPolicy: 'no-referrer',
    }}
  >
    {initialOf(name)}
  </Avatar>
)
