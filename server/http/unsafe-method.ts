const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Whether a request of this method may change anything. */
export const isUnsafe = (method: string): boolean => UNSAFE.has(method)
