/** Calls git as the tests do: with a name of its own, whatever the machine has. */
import { execFileSync } from 'node:child_process'

export function git(folder: string, ...args: readonly string[]): void {
  const identity = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@plants.example',
    '-c',
    'init.defaultBranch=main'
  ]
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' })
}
