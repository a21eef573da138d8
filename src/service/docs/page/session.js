/**
 * Replaces localStorage by sessionStorage, so that Scalar keeps the input of this page, such as a token, only until its
 * tab is closed.
 */
Object.defineProperty(globalThis, 'localStorage', { value: sessionStorage })

/** Time in ms after the last key after which Scalar saves credentials; leaving the page must not lose them. */
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
