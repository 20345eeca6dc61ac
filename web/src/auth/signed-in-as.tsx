/** A link may be of another account than the signed-in one. */
export const SignedInAs = ({ current }: { current: string }) =>
  current !== '' && (
    <>
      You are signed in as <bdi>{current}</bdi>. A link that was sent to another address is for the account of that one.
    </>
  )
