export type Progress = { stage: string; rows?: number; seconds: number }
export type Stage = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Reports how long each stage took, and how many rows it returned. */
export const createStages =
  (onProgress: (progress: Progress) => void): Stage =>
  async (stage, work) => {
    const start = performance.now()
    const result = await work()
    const seconds = (performance.now() - start) / 1000
    onProgress({ stage, seconds, ...(Array.isArray(result) && { rows: result.length }) })
    return result
  }
