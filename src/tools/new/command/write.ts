/**
 * Writes a new folder completely or not at all: the finished folder is renamed to its name. Then npm installs its
 * packages, and git commits it; a folder without packages or a commit is complete, too.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile
} from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The path already exists, and is not an empty folder. */
export class FolderTaken extends Error {}

/** @throws {FolderTaken} unless the path is free or an empty folder */
export async function assertIsFree(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new FolderTaken('there is a file of this name')
    throw error
  })
  if (found.length > 0) throw new FolderTaken('it is not empty')
}

/**
 * @param fill writes the files into a folder beside the new one
 * @throws the error that `fill` throws; the written files are removed then, and no others
 */
export async function writeFolder(folder: string, fill: (staging: string) => Promise<void>): Promise<void> {
  await assertIsFree(folder)
  const parent = dirname(folder)
  const made = await mkdir(parent, { recursive: true })
  let staging: string | undefined
  try {
    staging = await mkdtemp(join(parent, `.${basename(folder)}-`))
    await fill(staging)
    await chmod(staging, 0o755)
    // Replaces an empty folder; it fails for one that another process has filled meanwhile.
    await rename(staging, folder)
  } catch (error) {
    if (staging !== undefined) await rm(staging, { recursive: true, force: true })
    if (made !== undefined) await removeEmpty(parent, made).catch(() => undefined)
    throw error
  }
}

/**
 * Removes a folder and those above it, up to the topmost.
 * @throws {NodeJS.ErrnoException} at the first one that holds files of others
 */
async function removeEmpty(folder: string, topmost: string): Promise<void> {
  await rmdir(folder)
  if (folder !== topmost) await removeEmpty(dirname(folder), topmost)
}

export async function writeTree(
  folder: string,
  files: Iterable<readonly [path: string, content: string | Buffer, mode?: number]>
): Promise<void> {
  for (const [path, content, mode = 0o666] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content, { flag: 'wx', mode })
  }
}

/**
 * Installs the packages of a project with npm, and formats its code with them. npm starts from the
 * lock file of the project that contains or installed this package: it holds the versions that this package is tested
 * with, and asks no registry for those that npm has in its cache.
 * @returns the complaint of npm; undefined if it has none
 */
export async function install(folder: string): Promise<string | undefined> {
  const known = nearestLock()
  if (known !== undefined) await writeFile(join(folder, 'package-lock.json'), await lockOf(known))
  const npm = (...args: readonly string[]) => promisify(execFile)('npm', args, { cwd: folder })
  try {
    const installed = npm(
      ...'install --include=dev --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error'.split(
        ' '
      )
    )
    // Node writes what it has compiled, which takes a second, while npm works instead of at the end.
    flushCompileCache()
    await installed
    if (!(await linkNode(join(folder, 'node_modules')))) await npm('rebuild', 'node')
    await npm('run', 'format')
    return undefined
  } catch (error) {
    const { stderr, message } = Object(error)
    return String(stderr).trim() || message
  }
}

/**
 * Does what the install script of the package `node` does, but for the download: this process already runs that Node.
 * @returns false where the package has another version
 */
async function linkNode(modules: string): Promise<boolean> {
  const { version } = JSON.parse(await readFile(join(modules, 'node/package.json'), 'utf8'))
  if (version !== process.versions.node) return false
  const [binary, command] = [join(modules, 'node/bin/node'), join(modules, '.bin/node')]
  for (const path of [binary, command]) await mkdir(dirname(path), { recursive: true })
  // A copy, where the folders are on different file systems.
  await link(process.execPath, binary).catch(() => copyFile(process.execPath, binary))
  await rm(command, { force: true })
  await symlink('../node/bin/node', command)
  return true
}

/**
 * Returns the text of a lock file without workspaces: npm would link to their folders, which the project does not have.
 * Every package of the registry has a URL. Without one, npm reads the list of all versions of the package first.
 */
async function lockOf(file: string): Promise<string> {
  const lock = JSON.parse(await readFile(file, 'utf8'))
  const packages = Object.entries(Object(lock.packages)).flatMap(([path, entry]) => {
    const { link, name = path.replace(/.*node_modules\//, ''), version, integrity } = Object(entry)
    if (link === true || !/^(?:node_modules\/|$)/.test(path)) return []
    // npm replaces this host by that of its own registry.
    const resolved = `https://registry.npmjs.org/${name}/-/${basename(name)}-${version}.tgz`
    return [[path, integrity === undefined ? entry : { resolved, ...Object(entry) }]]
  })
  return JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)
}

/** Returns the lock file in the folder, otherwise in the nearest one above. */
export function nearestLock(folder = import.meta.dirname): string | undefined {
  const file = join(folder, 'package-lock.json')
  if (existsSync(file)) return file
  return dirname(folder) === folder ? undefined : nearestLock(dirname(folder))
}

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
 * Makes the project a repository with a first commit, which later changes of its contract are compared with.
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
