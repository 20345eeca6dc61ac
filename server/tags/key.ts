import { fold } from '#contract/fold.ts'

/** A name without case, accents and repeated spaces. Two tags never have the same one. Vowel signs of other scripts stay. */
export const tagKey = (name: string): string =>
  fold(
    fold(name)
      .normalize('NFD')
      .replaceAll(/[\u0300-\u036f]/g, ''),
  ).replaceAll(/\s+/g, ' ')
