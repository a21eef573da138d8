/** The command of `npm start`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

let command: readonly string[] | undefined

/**
 * Runs once the scripts that npm runs before it.
 * @returns its options and its file
 */
export function startCommand(): readonly string[] {
  command ??= prepared()
  return command
}

function prepared(): readonly string[] {
  const { prestart, start } = manifest.scripts
  spawnSync(process.execPath, prestart.split(' ').slice(1), {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit'
  })
  return start.split(' ').slice(1)
}
