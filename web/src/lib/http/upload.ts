type UploadRequest = { method: string; headers: Headers; body: Blob; signal: AbortSignal | undefined }

/** `fetch` for a file. Reports the share that has been sent, from 0 to 1, which `fetch` itself cannot. */
export const fetchWithProgress = (
  url: string,
  { method, headers, body, signal }: UploadRequest,
  onProgress: (share: number) => void,
) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    headers.forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(body.size > 0 ? loaded / body.size : 0))
    request.upload.addEventListener('load', () => onProgress(1))
    request.addEventListener('load', () =>
      resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) })),
    )
    request.addEventListener('error', () => reject(new TypeError('The upload failed')))
    request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled', 'AbortError')))
    if (signal?.aborted) return reject(new DOMException('The upload was cancelled', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })

const headersOf = (request: XMLHttpRequest) => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name, ...value] = line.split(': ')
    if (name) headers.append(name, value.join(': '))
  }
  return headers
}
