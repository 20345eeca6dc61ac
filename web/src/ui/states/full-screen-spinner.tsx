import { Center, Loader } from '@mantine/core'

export const FullScreenSpinner = () => (
  <Center component="main" h="100dvh" aria-busy="true">
    <Loader size={32} />
    <span role="status" className="visually-hidden">
      Loading
    </span>
  </Center>
)
