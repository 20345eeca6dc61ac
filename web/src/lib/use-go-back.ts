import { useNavigate } from 'react-router'

/** Returns to the previous screen, or to `otherwise` when the page was opened directly. */
export function useGoBack(otherwise: string): () => void {
  const navigate = useNavigate()
  return () => {
    // React Router numbers its entries in the browser's history; the first is 0.
    const place = (history.state as { idx?: number } | null)?.idx ?? 0
    if (place > 0) void navigate(-1)
    else void navigate(otherwise, { replace: true })
  }
}
