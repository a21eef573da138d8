/** The commands that start the service: that of `npm start`, and that of the image. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

/** Options of Node and the file of `npm start`. */
export const [, , ...startCommand] = manifest.scripts.start.split(' ')
export const startOptions = startCommand.slice(0, -1)

let built: readonly string[] | undefined

/**
 * Runs `npm run build` once.
 * @returns options of Node and the file that the image runs
 */
export function builtCommand(): readonly string[] {
  if (built === undefined)
    spawnSync(process.execPath, manifest.scripts.build.split(' ').slice(1), {
      cwd: join(import.meta.dirname, '..'),
      stdio: 'inherit'
    })
  built = [...startOptions, 'dist/main.js']
  return built
}
