import { createTheme, DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core'
import { avatarTints } from './avatar-tints.ts'

/**
 * Mantine's colour with a darker last shade for letters on avatars, because the contrast of Mantine's is below 4.5:1.
 */
const withDarkLetter = (color: MantineColorsTuple, letter: string) =>
  color.with(9, letter) as unknown as MantineColorsTuple

/** Colours and sizes of components. Colours that differ between light and dark are in colors.css. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 6, dark: 4 },
  colors: {
    blue: [
      '#eef5fc',
      '#e1edf9',
      '#b9d8f4',
      '#93c6fb',
      '#71b7fb',
      '#8dc5fc',
      '#0a66c2',
      '#0957a6',
      '#08488a',
      '#06386c',
    ],
    green: withDarkLetter(DEFAULT_THEME.colors.green, '#1f6b30'),
    lime: withDarkLetter(DEFAULT_THEME.colors.lime, '#47730a'),
    orange: withDarkLetter(DEFAULT_THEME.colors.orange, '#a83a08'),
    teal: withDarkLetter(DEFAULT_THEME.colors.teal, '#066649'),
    // Both greys are warm, like the page.
    gray: [
      '#f8f7f4',
      '#f1efeb',
      '#e8e5df',
      '#dedad2',
      '#cfcac1',
      '#aeaaa1',
      '#8d8981',
      '#605d57',
      '#3a3834',
      '#1d1c1a',
    ],
    dark: [
      '#ecebe8',
      '#c9c6c0',
      '#aba8a1',
      '#75726b',
      '#45423d',
      '#3a3834',
      '#2c2a27',
      '#232220',
      '#1d1c1a',
      '#131211',
    ],
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: {
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '24px', lineHeight: '32px' },
      h2: { fontSize: '24px', lineHeight: '32px' },
      h3: { fontSize: '20px', lineHeight: '28px' },
      h4: { fontSize: '16px', lineHeight: '24px' },
    },
  },
  fontSizes: { xs: '12px', sm: '14px', md: '16px', lg: '20px', xl: '24px' },
  lineHeights: { xs: '1.5', sm: '1.45', md: '1.5' },
  components: {
    // An avatar needs `name` for its tint, and its letter as a child: Mantine's own may cut an emoji in two.
    Avatar: { defaultProps: { color: 'initials', allowedInitialsColors: avatarTints } },
    // Explicit, so that global.css can select it by its attribute.
    Button: { defaultProps: { variant: 'filled' } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'], withAsterisk: false },
    },
    // Its place for the first focus is no child that a menu may have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Loader: { defaultProps: { type: 'oval' } },
    Paper: { defaultProps: { radius: 'md' } },
    // The list itself scrolls (global.css). The box inside it, which scrolls otherwise, is not reached by keyboard.
    Select: { defaultProps: { withScrollArea: false } },
  },
})
