import { Avatar } from '@mantine/core'
import { initialOf } from '#web/lib/initials.ts'
import { pictureSources } from '#web/records/web-links.ts'

type RecordAvatarProps = {
  name: string
  picture?: string | undefined
  size: 32 | 40 | 56
  square?: boolean
  /** The name that chooses the tint, where it is not the record's own. */
  tint?: string
}

/** The picture, or the initial if there is none or it fails to load. Decorative, because the name is next to it. */
export const RecordAvatar = ({ name, picture, size, square, tint = name }: RecordAvatarProps) => {
  const { src = null, srcSet } = pictureSources(picture) ?? {}
  return (
    <Avatar
      name={tint}
      src={src}
      alt=""
      size={size}
      radius={square ? 'md' : '50%'}
      aria-hidden="true"
      imageProps={{
        srcSet,
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
}
