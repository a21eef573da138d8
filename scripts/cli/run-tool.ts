import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const binaries = resolve(import.meta.dirname, '../../node_modules/.bin')

/** Runs a program of an npm package in this terminal. This process ends with its exit code. */
export function runTool(name: string, args: readonly string[]): void {
  const { status } = spawnSync(resolve(binaries, name), args, { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
