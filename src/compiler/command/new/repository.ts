/** Makes a new project a git repository with a first commit, which later changes of its contract are compared with. */
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/** Variables of git that name another repository, as those of a hook do. */
const foreign = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|PREFIX|NAMESPACE)$/

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))

/** @throws {Error} of the process; its `code` is ENOENT without git */
async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: folder, env: environment() })
  return stdout.trim()
}

/**
 * @param folder a project whose packages are installed: their lock file is committed, too
 * @returns a sentence about the repository
 */
export async function makeRepository(folder: string): Promise<string> {
  try {
    const above = await git(dirname(folder), 'rev-parse', '--show-toplevel').catch(withoutRepository)
    if (above !== undefined) return `part of the repository ${above}: commit it there`
    await git(folder, 'init', '--quiet', '--initial-branch=main')
    await git(folder, 'add', '--all')
    // Neither asks for the passphrase of a signature, nor runs hooks that the machine has for every repository.
    const silent = ['-c', 'commit.gpgsign=false', 'commit', '--quiet', '--no-verify']
    await git(folder, ...silent, '--message', 'Make the project with npm run new')
    return 'a repository with a first commit'
  } catch (error) {
    return complaint(error)
  }
}

/** @throws {Error} when git is not there to say so */
function withoutRepository(error: unknown): undefined {
  if (Object(error).code === 'ENOENT') throw error
}

function complaint(error: unknown): string {
  const { code, stderr, message } = Object(error)
  if (code === 'ENOENT') return 'no repository, because git is not installed; npm run diff needs one'
  if (String(stderr).includes('tell me who you are'))
    return 'a repository without a commit: set user.name and user.email with git config, then commit'
  return `no commit: ${String(stderr || message)
    .trim()
    .split('\n')
    .at(-1)}`
}
