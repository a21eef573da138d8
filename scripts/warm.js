/**
 * Starts dist/main.js on an empty store and ends it, so that its compiled code is cached in NODE_COMPILE_CACHE for the next
 * start. Written in JavaScript for the build of the image, which runs it once.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'warm-'))
const own = {
  PORT: '0',
  DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`,
  AUTH_TOKENS: 'for-this-start-only'
}
const service = spawn(process.execPath, ['dist/main.js'], {
  cwd: resolve(import.meta.dirname, '..'),
  env: { ...process.env, LOG_LEVEL: 'warn', ...own },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc']
})
service.once('message', () => service.kill('SIGTERM'))
service.once('exit', (code) => {
  rmSync(folder, { recursive: true })
  process.exitCode = code ?? 1
})
