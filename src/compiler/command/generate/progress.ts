/** Shows the phases of a command when standard error is a terminal. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

const thread = new URL(`./progress-thread${extname(import.meta.filename)}`, import.meta.url)

/**
 * Shows the phases of a long compilation on a terminal. A thread writes, because the compiler blocks the event loop for
 * seconds.
 */
export class Progress {
  readonly #worker: Worker

  /** @param afterMs time before the first line */
  constructor(fd: number, afterMs = 5000) {
    this.#worker = new Worker(thread, { workerData: { fd, afterMs } })
    this.#worker.unref()
  }

  readonly begin = (phase: string): void => this.#worker.postMessage(phase)

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** The thread starts with the first phase. */
export async function withProgress<Result>(
  run: (onPhase: ((phase: string) => void) | undefined) => Promise<Result>
): Promise<Result> {
  if (!process.stderr.isTTY) return run(undefined)
  let progress: Progress | undefined
  const onPhase = (phase: string) => {
    progress ??= new Progress(process.stderr.fd)
    progress.begin(phase)
  }
  return run(onPhase).finally(() => progress?.end())
}
