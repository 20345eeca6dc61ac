/** What `enrich` and `refresh` answer while there is no provider to ask: honest, and not a failure. */
export const nothingConfigured = () => ({
  success: false as const,
  error: 'No source of outside data is set up, so nothing was looked up',
})
