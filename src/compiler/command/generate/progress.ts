/** Shows the phases of a command when standard error is a terminal. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/**
 * Shows the phases of a long compilation on a terminal. A thread writes, because the compiler blocks the event loop for
 * seconds.
 */
export interface ProgressOptions {
  /** File descriptor of the terminal. */
  readonly fd: number
  /** Time in milliseconds before the first line. */
  readonly afterMs?: number
}

export class Progress {
  readonly #worker: Worker

  constructor({ fd, afterMs = 5000 }: ProgressOptions) {
    this.#worker = new Worker(
      new URL(import.meta.resolve(`./progress-thread${extname(import.meta.filename)}`)),
      {
        workerData: { fd, afterMs }
      }
    )
    this.#worker.unref()
  }

  /** @param phase name of the phase that begins */
  readonly begin = (phase: string): void => this.#worker.postMessage(phase)

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

export async function withProgress<Result>(
  run: (onPhase: ((phase: string) => void) | undefined) => Promise<Result>
): Promise<Result> {
  if (!process.stderr.isTTY) return run(undefined)
  const progress = new Progress({ fd: process.stderr.fd })
  return run(progress.begin).finally(() => progress.end())
}
