/** Reads files of a git revision. */
import { execFile } from 'node:child_process'
import { relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { Mistake } from '@contract-first/service/command/command'

const execute = promisify(execFile)

/** Runs git in a folder; returns undefined when git fails. */
export async function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await execute('git', ['-C', folder, ...args], { maxBuffer: 2 ** 30 })
    return stdout
  } catch (error) {
    if (isMissing(error))
      throw new Mistake(['git cannot be run: install it, or name a file as BASE'], { exitCode: 2 })
    return undefined
  }
}

/** Returns the output of git, trimmed; an empty text when git fails. */
export const gitText = async (folder: string, ...args: readonly string[]): Promise<string> =>
  ((await git(folder, ...args)) ?? '').trim()

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * Returns a reader of the files of a commit.
 * @param folder any folder of the repository
 */
export function revisionReader(folder: string, commit: string): (path: string) => Promise<string> {
  return async (path) => {
    const name = relative(folder, path).split(sep).join('/')
    const text = await git(folder, 'show', `${commit}:./${name}`)
    if (text === undefined) throw new Error(`the revision has no file ${name}`)
    return text
  }
}
