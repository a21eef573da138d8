/** The thread of progress.ts: writes the current phase when the compilation takes long, then each phase that begins. */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const { fd, afterMs } = workerData as { fd: number; afterMs: number }
const started = performance.now()
let phase = 'starting'
let isLate = false

function write(): void {
  const seconds = Math.round((performance.now() - started) / 1000)
  writeSync(fd, `compiling for ${seconds} s: ${phase}\n`)
}

parentPort?.on('message', (begun: string) => {
  phase = begun
  if (isLate) write()
})

setTimeout(() => {
  isLate = true
  write()
}, afterMs)
