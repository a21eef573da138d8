/** A project in which a page is carried out: its files are written, its commands run, its answers compared. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type Server as HttpServer, request } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { environment } from '../projects/shell.ts'
import { until } from '../time.ts'
import { patternOf, type Step } from './tutorial.ts'

const packages = resolve(import.meta.dirname, '../../node_modules')

/** Program that stays, with its output so far. */
interface Server {
  readonly child: ChildProcess
  readonly ended: Promise<unknown[]>
  output: string
}

interface Places {
  /** Returns the URL of a database that exists, in place of the one that the page shows. */
  readonly database: () => Promise<string>
  /** Returns a port that is free. */
  readonly port: () => Promise<number>
}

export class PageProject {
  readonly folder: string
  readonly #places: Places
  /** Ports by those that the page shows. */
  readonly #ports = new Map<string, string>()
  /** Programs by the port that the page shows. */
  readonly #servers = new Map<string, Server>()
  readonly #proxies: HttpServer[] = []
  #database: string | undefined

  constructor(folder: string, places: Places) {
    this.folder = folder
    this.#places = places
  }

  /** @returns what the page promises and what happens, if the step has an output */
  async follow(step: Step): Promise<{ readonly found: string; readonly wanted: RegExp } | undefined> {
    if (step.kind === 'file' && step.file === 'nginx.conf') return void (await this.#proxy(step.text))
    if (step.kind === 'file') return void (await this.#write(step.file, step.text))
    if (step.kind === 'edit') return void (await this.#edit(step))
    if (step.kind === 'shown') return this.#seen(step.text)
    const isServer = /\bnpm start$/.test(step.command) || step.command.endsWith(' &')
    const wanted = wholePattern(step.output)
    if (isServer) return { found: await this.#start(step.command, wanted), wanted }
    return { found: await this.#run(step.command), wanted }
  }

  /** Keeps the earlier text beside the file, for the type checker. */
  async #write(file: string, text: string): Promise<void> {
    const path = join(this.folder, file)
    if (existsSync(path)) await rename(path, path.replace(/\.ts$/, '.earlier.ts'))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }

  async #edit({ file, before, after }: Step & { kind: 'edit' }): Promise<void> {
    const text = await readFile(join(this.folder, file), 'utf8')
    const places = text.split(before).length - 1
    if (places !== 1) throw new Error(`${file} has ${places} places for ${JSON.stringify(before)}`)
    await writeFile(
      join(this.folder, file),
      text.replace(before, () => after)
    )
  }

  async #proxy(config: string): Promise<void> {
    const { port, server } = proxyOf(await this.#here(config))
    this.#proxies.push(server)
    await once(server.listen(port, '127.0.0.1'), 'listening')
  }

  /** Waits until a server of the page prints a text. */
  async #seen(text: string): Promise<{ found: string; wanted: RegExp }> {
    const wanted = patternOf(text)
    const found = () => this.#asWritten([...this.#servers.values()].map(({ output }) => output).join('\n'))
    await until(() => wanted.test(found())).catch(() => {})
    return { found: found(), wanted }
  }

  async #run(command: string): Promise<string> {
    const { child, ended } = await this.#spawn(command)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
    const [code] = await ended
    const shown = this.#asWritten(output)
    return code === 0 ? shown : `${shown}\nexit code ${code}`
  }

  /** Starts a program in place of the one that has its port, and waits for its output. */
  async #start(command: string, wanted: RegExp): Promise<string> {
    const [port = '3000'] = /(?<=\bPORT=|--port )\d+/.exec(command) ?? []
    await this.stop(port)
    const server: Server = { ...(await this.#spawn(command.replace(/ &$/, ''))), output: '' }
    const { child, ended } = server
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => (server.output += stripVTControlCharacters(String(data))))
    this.#servers.set(port, server)
    const shown = () => this.#asWritten(server.output).trim()
    let isOver = false
    ended.then(() => (isOver = true))
    await until(() => isOver || wanted.test(shown())).catch(() => {})
    return shown()
  }

  /** Returns the URL of what listens on a port that the page shows. */
  async url(port = '3000'): Promise<string> {
    return `http://127.0.0.1:${await this.#portFor(port)}`
  }

  /** URL of the database in place of the one that the page shows. */
  get database(): string | undefined {
    return this.#database
  }

  /** Ends the program of a port that the page shows. */
  async stop(port: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<string> {
    const server = this.#servers.get(port)
    this.#servers.delete(port)
    if (server === undefined) return ''
    const { child, ended } = server
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
    await ended
    return server.output
  }

  /** Ends the servers as a supervisor does, the last one first. */
  async end(): Promise<void> {
    for (const port of [...this.#servers.keys()].reverse()) await this.stop(port)
    for (const proxy of this.#proxies) proxy.close()
  }

  async #spawn(command: string): Promise<{ child: ChildProcess; ended: Promise<unknown[]> }> {
    const line = await this.#here(await this.#unwrapped(command))
    const child = spawn('bash', ['-c', `curl() { command curl --silent "$@"; }; ${line}`], {
      cwd: this.folder,
      env: {
        ...environment(),
        NODE_COMPILE_CACHE: join(packages, '.cache/compile'),
        PATH: `${join(packages, '.bin')}:${process.env['PATH']}`,
        PORT: await this.#portFor('3000')
      },
      // A group of its own, which ends as a whole.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    return { child, ended: once(child, 'close') }
  }

  /** Replaces npm and npx by what they run, because each would take a quarter of a second. */
  async #unwrapped(command: string): Promise<string> {
    const [, before = '', name = '', rest = ''] =
      /^((?:\w+=\S+ )*)npm (?:run (?:--silent )?)?([\w:]+)(?: --)?(.*)$/.exec(command) ?? []
    if (name === '') return command.replace(/^npx /, '')
    const { scripts } = JSON.parse(await readFile(join(this.folder, 'package.json'), 'utf8'))
    if (scripts[name] === undefined) throw new Error(`the project has no script ${name}`)
    return `${before && `export ${before}; `}${scripts[name]}${rest}`
  }

  /** Replaces the ports and the database that the page shows. */
  async #here(text: string): Promise<string> {
    const url = /postgres:\/\/[^\s'"]+/
    if (url.test(text)) this.#database ??= await this.#places.database()
    let here = text.replace(url, () => `'${this.#database}'`)
    for (const [, port = ''] of text.matchAll(shownPort)) await this.#portFor(port)
    here = here.replaceAll(shownPort, (whole, port: string) =>
      whole.replace(port, () => this.#ports.get(port) ?? port)
    )
    return here
  }

  async #portFor(shown: string): Promise<string> {
    const port = this.#ports.get(shown) ?? String(await this.#places.port())
    this.#ports.set(shown, port)
    return port
  }

  #asWritten(text: string): string {
    const ports = [...this.#ports].reduce(
      (all, [shown, port]) => all.replaceAll(`:${port}`, `:${shown}`),
      text
    )
    return stripVTControlCharacters(ports).replaceAll(this.folder, '.').trim()
  }
}

const shownPort = /(?<=127\.0\.0\.1:|PORT=|--port )(\d{4})\b/g

const wholePattern = (text: string): RegExp => new RegExp(`^${patternOf(text).source}$`)

/** Values of the variables of nginx that a page uses. */
type Variables = Readonly<Record<string, string | undefined>>

/** @param config block with `listen`, one `location` with `proxy_pass` without a path, and `proxy_set_header` */
function proxyOf(config: string): { readonly port: number; readonly server: HttpServer } {
  const [, location = ''] = /location (\S+) \{/.exec(config) ?? []
  const [, target = ''] = /proxy_pass (\S+);/.exec(config) ?? []
  const set = [...config.matchAll(/proxy_set_header (\S+) (\S+);/g)]
  const server = createServer((given, answer) => {
    if (!given.url?.startsWith(location)) return void answer.writeHead(404).end()
    const variables: Variables = {
      $host: given.headers.host?.replace(/:\d+$/, ''),
      $proxy_add_x_forwarded_for: [given.headers['x-forwarded-for'], given.socket.remoteAddress]
        .filter((each) => each !== undefined)
        .join(', '),
      $scheme: 'http'
    }
    const own = set.map(([, name = '', value = '']) => [name.toLowerCase(), variables[value] ?? value])
    const headers = { ...given.headers, ...Object.fromEntries(own) }
    const sent = request(target + given.url, { method: given.method, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers)
      pipeline(received, answer, () => undefined)
    })
    sent.on('error', () => answer.writeHead(502).end())
    pipeline(given, sent, () => undefined)
  })
  return { port: Number(/listen (?:\S+:)?(\d+);/.exec(config)?.[1]), server }
}
