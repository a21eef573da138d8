declare module 'on-exit-leak-free' {
  /** Calls `run` with the object when the process ends, unless the object was collected before. */
  export function register<T extends object>(object: T, run: (object: T) => void): void
}
