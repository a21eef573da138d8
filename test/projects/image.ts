/**
 * Carries out the steps of the Dockerfile without Docker: a stage is a folder, its `/app` and `/data` are folders in
 * it, and its commands run with the Node of the tests in place of that of the base image, which has the same version.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, cpSync, globSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { linkPackages } from '../link-packages.ts'
import { commandOf, type Instruction, includedBy, type Stage } from './dockerfile.ts'
import { environment } from './shell.ts'

/** Folders of the image that its instructions name. */
const folders = /(?<![\w.-])\/(app|data)(?![\w-])/g
/** Command of the stage that bundles the service. */
const wholeInstallation = 'npm ci --ignore-scripts'
const isRoot = process.getuid?.() === 0

export class Image {
  readonly #root: string
  readonly #images: ReadonlyMap<string, Image>
  readonly #variables: Record<string, string> = {}
  #folder = '/'
  #user: number | undefined
  #commands: ReadonlyMap<string, string> = new Map()

  /** @param images earlier stages by their names */
  constructor(root: string, images: ReadonlyMap<string, Image>) {
    this.#root = root
    this.#images = images
    mkdirSync(join(root, 'bin'), { recursive: true })
    copyFileSync(process.execPath, this.path('/bin/node'))
    for (const folder of [root, join(root, 'bin')]) chmodSync(folder, 0o755)
  }

  /** Returns the path of a file of the image on this machine. */
  path(name: string): string {
    return join(this.#root, name)
  }

  /** @param context the folder of the project, of which .dockerignore leaves out files */
  async build({ base, instructions }: Stage, context: string, ignored: string): Promise<void> {
    const before = this.#images.get(base)
    if (before !== undefined) this.#continue(before)
    for (const each of instructions) await this.#carryOut(each, context, includedBy(ignored))
  }

  #continue(before: Image): void {
    cpSync(before.#root, this.#root, { recursive: true, verbatimSymlinks: true })
    Object.assign(this.#variables, before.#variables)
    this.#folder = before.#folder
    this.#user = before.#user
  }

  async #carryOut(
    { name, options, rest }: Instruction,
    context: string,
    isIncluded: (path: string) => boolean
  ): Promise<void> {
    if (name === 'WORKDIR') this.#enter(rest)
    else if (name === 'ENV')
      for (const [, key = '', value = ''] of rest.matchAll(/(\S+?)=(\S+)/g)) this.#variables[key] = value
    else if (name === 'USER') this.#user = rest === 'root' ? undefined : Number.parseInt(rest, 10)
    else if (name === 'COPY') this.#copy(options, rest.split(' '), context, isIncluded)
    else if (name === 'RUN' && rest === wholeInstallation) this.#lend()
    else if (name === 'RUN') await this.#run(rest)
    else this.#commands = new Map([...this.#commands, [name, rest]])
  }

  #enter(folder: string): void {
    this.#folder = folder
    mkdirSync(this.path(folder), { recursive: true })
  }

  /** Lends the packages of this project instead of installing the same once more, which takes minutes on a busy disk. */
  #lend(): void {
    const folder = this.path(this.#folder)
    rmSync(join(folder, 'node_modules'), { recursive: true })
    linkPackages(folder)
  }

  #copy(
    [from]: readonly string[],
    names: readonly string[],
    context: string,
    isIncluded: (path: string) => boolean
  ): void {
    const target = join(this.path(this.#folder), names.at(-1) ?? '.')
    const stage = this.#images.get(from?.replace('from=', '') ?? '')
    if (stage !== undefined) {
      cpSync(stage.path(names[0] ?? ''), target, { recursive: true, verbatimSymlinks: true })
      return
    }
    // A file whose folder is left out may be included.
    const isFile = (path: string) => isIncluded(path) && statSync(join(context, path)).isFile()
    for (const name of globSync(names.slice(0, -1), { cwd: context })) {
      const isFolder = statSync(join(context, name)).isDirectory()
      const copied = isFolder ? globSync(`${name}/**`, { cwd: context }) : [name]
      for (const file of copied.filter(isFile))
        copyTo(join(target, isFolder ? file.slice(name.length) : basename(file)), join(context, file))
    }
  }

  async #run(text: string): Promise<void> {
    const child = this.#spawn(commandOf(text), {})
    const output = textOf(child)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`RUN ${text} exits with ${code}: ${output()}`)
  }

  /** Starts the container's command with the variables of `docker run --env`. */
  start(environment: Record<string, string>): {
    readonly child: ChildProcess
    readonly output: () => string
  } {
    const child = this.#spawn(commandOf(this.#commands.get('CMD') ?? ''), environment)
    return { child, output: textOf(child) }
  }

  /** Returns the exit code of the health check, and its output. */
  async health(environment: Record<string, string>): Promise<{ code: number; output: string }> {
    const [, command = ''] = /CMD (.*)$/.exec(this.#commands.get('HEALTHCHECK') ?? '') ?? []
    const child = this.#spawn(commandOf(command), environment)
    const output = textOf(child)
    const [code] = await once(child, 'close')
    return { code, output: output() }
  }

  get stopSignal(): NodeJS.Signals {
    return this.#commands.get('STOPSIGNAL') as NodeJS.Signals
  }

  #spawn([program = '', ...args]: readonly string[], more: Record<string, string>): ChildProcess {
    const here = (text: string) => text.replaceAll(folders, (name) => this.path(name))
    const { PATH: _path, ...others } = this.#user === undefined ? environment() : {}
    const variables = Object.entries({ ...this.#variables, ...more }).map(([name, value]) => [
      name,
      here(value)
    ])
    const path = [this.path('/bin'), dirname(process.execPath), process.env['PATH']].join(delimiter)
    const user = isRoot && this.#user !== undefined ? { uid: this.#user, gid: this.#user } : {}
    return spawn(program, args.map(here).map(withoutNames), {
      cwd: this.path(this.#folder),
      env: { ...others, PATH: path, npm_config_prefer_offline: 'true', ...Object.fromEntries(variables) },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user
    })
  }
}

function copyTo(target: string, source: string): void {
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(source, target)
}

/** Replaces the user of the base image by its number; only root may give files away. */
const withoutNames = (text: string): string =>
  isRoot ? text.replaceAll('node:node', '1000:1000') : text.replaceAll(/chown (?:-R )?\S+ /g, 'true ')

function textOf({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.on('data', (data) => (text += data))
  return () => text
}
