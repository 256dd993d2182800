/** Tells the app; what its callback throws is reported, and the chat goes on. @internal */
export function notify<T>(callback: ((event: T) => void) | undefined, event: T): void {
  try {
    callback?.(event)
  } catch (error) {
    void Promise.reject(error)
  }
}
