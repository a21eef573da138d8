/**
 * Keeps what is typed on this page, such as a token, until its tab is closed: Scalar writes it to localStorage, which is
 * sessionStorage here.
 */
Object.defineProperty(globalThis, 'localStorage', { value: sessionStorage })

/** Scalar writes credentials so many milliseconds after the last key; leaving the page must not lose them. */
const saveDelayMs = 500
const { setTimeout: start, clearTimeout: stop } = globalThis
const unsaved = new Map()

globalThis.setTimeout = (callback, delay, ...values) => {
  if (delay !== saveDelayMs) return start(callback, delay, ...values)
  const run = () => {
    unsaved.delete(timer)
    callback(...values)
  }
  const timer = start(run, delay)
  unsaved.set(timer, run)
  return timer
}
globalThis.clearTimeout = (timer) => {
  unsaved.delete(timer)
  stop(timer)
}
addEventListener('pagehide', () => {
  for (const save of unsaved.values()) save()
})
