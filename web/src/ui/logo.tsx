/** The product's logo: an open book with a person in it. */
export const Logo = ({ size }: { size: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0a66c2" />
    <path
      d="M16 10.2C13.9 8.5 11 7.8 7.6 8v14.4c3.4-.2 6.3.5 8.4 2.2 2.1-1.7 5-2.4 8.4-2.2V8c-3.4-.2-6.3.5-8.4 2.2Z"
      fill="#fff"
    />
    <path d="M16 10.2v14.4" stroke="#0a66c2" strokeWidth="1.6" />
    <circle cx="20.3" cy="14" r="1.7" fill="#0a66c2" />
    <path
      d="M17.7 19.4c.3-1.7 1.2-2.6 2.6-2.6s2.3.9 2.6 2.6"
      fill="none"
      stroke="#0a66c2"
      strokeWidth="1.4"
      strokeLinecap="round"
    />
  </svg>
)
