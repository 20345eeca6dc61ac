import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone, as in the styles. Known at the first paint. */
export const useIsPhone = () => useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
