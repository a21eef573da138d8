/** Says on a terminal what a long compile is doing. A thread writes, because the compiler does not yield for seconds. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

export interface ProgressOptions {
  /** The file descriptor of the terminal. */
  readonly fd: number
  /** Nothing is written before. */
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

  /** @param phase what begins now */
  readonly begin = (phase: string): void => this.#worker.postMessage(phase)

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
