/**
 * Runs git in the folder of a contract. The folder may come from anyone, with a repository in it: whatever its
 * configuration says, git starts no program and contacts no other machine.
 */
import { execFileSync } from 'node:child_process'
import { Mistake } from '@contract-first/cli/command'

const options = [
  '--no-pager',
  // A folder that holds HEAD, objects/ and refs/ is a repository only if its name says so.
  ...['-c', 'safe.bareRepository=explicit'],
  ...['-c', 'core.fsmonitor='],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'protocol.allow=never']
]

/** No protocol is allowed: unlike `protocol.allow`, this overrides `protocol.<name>.allow` of the repository. */
const isolation = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0'
}

/** Variables of git that neither choose another repository, as those of a hook do, nor a program. */
const kept =
  /^GIT_(CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|(KEY|VALUE)_\d+))$/

function environment(): NodeJS.ProcessEnv {
  const given = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || kept.test(name))
  return { ...Object.fromEntries(given), ...isolation }
}

/** Runs git in a folder; returns undefined when git fails. */
export function git(folder: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', folder, ...options, ...args], {
      env: environment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28
    })
  } catch (error) {
    if (isMissing(error))
      throw new Mistake(['git cannot be run: install it, or name a file as BASE'], { exitCode: 2 })
    return undefined
  }
}

/** Returns the output of git, trimmed; an empty text when git fails. */
export const gitText = (folder: string, ...args: readonly string[]): string =>
  (git(folder, ...args) ?? '').trim()

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
