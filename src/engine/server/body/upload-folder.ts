/**
 * Folder of the files that uploads fill: one for each process and contract. Each file loses its name when it is opened,
 * so that the operating system removes it with the process, however that ends.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, mkdir, mkdtemp, open, readdir, readFile, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { geteuid, kill, pid } from 'node:process'
import type { FastifyInstance } from 'fastify'
import type { Contract } from '../../model/compiled-contract.ts'

const prefix = 'contract-uploads-'
/** Process id, start of the process, and the six characters of `mkdtemp`. */
const folderName = new RegExp(`^${prefix}(\\d+)-(\\w+)-\\w{6}$`)

export class UploadFolder {
  readonly #base: string
  #path: Promise<string> | undefined

  /** @param base folder in which the folder is made with the first file */
  constructor(base = tmpdir()) {
    this.#base = base
  }

  /**
   * Opens a new file for reading and writing, which nothing else can open.
   * @throws {Error} of the file system
   */
  async create(): Promise<FileHandle> {
    try {
      return await unnamedFile(await this.#made())
    } catch (error) {
      if (Object(error).code !== 'ENOENT') throw error
      // Systems remove old files of their temporary folder.
      this.#path = undefined
      return await unnamedFile(await this.#made())
    }
  }

  async remove(): Promise<void> {
    await Promise.allSettled([this.#path?.then(removed)])
  }

  /** Removes the folders of processes that no longer run. Folders of other users, and of running processes, stay. */
  async removeAbandoned(): Promise<void> {
    const names = await readdir(this.#base).catch(() => [])
    // Another start may remove the same folders.
    await Promise.allSettled(names.map((name) => removeAbandoned(join(this.#base, name))))
  }

  #made(): Promise<string> {
    this.#path ??= this.#make()
    return this.#path
  }

  async #make(): Promise<string> {
    try {
      await mkdir(this.#base, { recursive: true })
      return await mkdtemp(join(this.#base, `${prefix}${pid}-${await startOf(pid)}-`))
    } catch (error) {
      this.#path = undefined
      throw error
    }
  }
}

interface FolderOptions {
  readonly contract: Contract
  /** Folder in which the folder is made. */
  readonly uploadFolder?: string
}

/** Returns the folder of a contract, which is removed with the application; removes what dead processes have left. */
export async function uploadFolder(app: FastifyInstance, options: FolderOptions): Promise<UploadFolder> {
  const folder = new UploadFolder(options.uploadFolder)
  const contents = options.contract.operations.flatMap(({ requestBody }) => requestBody?.content ?? [])
  if (!contents.some(({ stream, kind }) => stream && kind === 'multipart')) return folder
  app.addHook('onClose', () => folder.remove())
  await folder.removeAbandoned()
  return folder
}

async function unnamedFile(folder: string): Promise<FileHandle> {
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

const removed = (folder: string) => rm(folder, { recursive: true, force: true })

async function removeAbandoned(path: string): Promise<void> {
  const [, id, start] = folderName.exec(basename(path)) ?? []
  if (id === undefined) return
  const found = await lstat(path)
  // No other user can replace a folder of this one while it is removed.
  const isOwn = found.isDirectory() && [found.uid, undefined].includes(geteuid?.())
  if (isOwn && !(await isRunning(Number(id), String(start)))) await removed(path)
}

async function isRunning(id: number, start: string): Promise<boolean> {
  const known = await startOf(id)
  return known === undefined ? exists(id) : known === start
}

/** Returns true for a process of another user, too. */
function exists(id: number): boolean {
  try {
    return kill(id, 0)
  } catch (error) {
    return Object(error).code !== 'ESRCH'
  }
}

/** Returns the start of a process, which tells it from a later one with its id; undefined without `/proc`. */
async function startOf(id: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => undefined)
  // The name of the program, in parentheses, may hold spaces (proc_pid_stat(5), field 22).
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}
