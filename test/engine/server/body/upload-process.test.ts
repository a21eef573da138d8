/** Uploads to a process of their own: its memory, its end by kill -9, and a disk that is full. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { until } from '../../../time.ts'
import { ask, compiled, request } from '../../serve.ts'

t.setTimeout(900_000)

const contract = await compiled(
  t,
  parse(`
paths:
  /bytes:
    post:
      operationId: bytes
      requestBody: { content: { application/octet-stream: { x-stream: true, x-body-limit: 2147483648 } } }
      responses: &ok { 200: { description: ok, content: { application/json: {} } } }
  /form: { post: { operationId: form, requestBody: &form { $ref: '#/components/requestBodies/Form' }, responses: *ok } }
  /hang: { post: { operationId: hang, requestBody: *form, responses: *ok } }
components:
  requestBodies:
    Form:
      content:
        multipart/form-data:
          x-stream: true
          x-body-limit: 2147483648
          schema: { type: object, properties: { file: { type: string, format: binary } } }
`)
)
const script = resolve(import.meta.dirname, 'upload-server.ts')
const args = (folder: string) => [script, fileURLToPath(String(contract.url)), folder]

interface Started {
  readonly child: ChildProcess
  readonly port: number
}

/** @param prefix command that starts the process, such as `unshare` */
async function start(t: Test, folder: string, ...prefix: readonly string[]): Promise<Started> {
  const [command = '', ...rest] = [...prefix, execPath, ...args(folder)]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  // V8 writes the coverage of a process that ends by itself.
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill()
    await once(child, 'exit')
  })
  const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  return { child, port: Number(line) }
}

function emptyFolder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'uploads-test-'))
  t.teardown(() => rmSync(made, { recursive: true }))
  return made
}

const type = { 'Content-Type': 'multipart/form-data; boundary=b' }
const head = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n'
const tail = '\r\n--b--\r\n'
const small = request('POST /form', head + 'x'.repeat(100_000) + tail, type)

/** Sends a body of many bytes as the connection takes them, and returns the text of the answer. */
async function send(port: number, path: string, size: number): Promise<string> {
  const isForm = path === '/form'
  const [before, after] = isForm ? [head, tail] : ['', '']
  const length = String(size + before.length + after.length)
  const headers = {
    ...(isForm ? type : { 'Content-Type': 'application/octet-stream' }),
    'Content-Length': length
  }
  const socket = connect(port, '127.0.0.1')
  const answer = Array.fromAsync(socket)
  socket.write(`${request(`POST ${path}`, '', { ...headers, Connection: 'close' })}${before}`)
  const block = Buffer.alloc(1_048_576, 'x')
  for (let left = size; left > 0; left -= block.length)
    if (!socket.write(block.subarray(0, Math.min(left, block.length)))) await once(socket, 'drain')
  socket.write(after)
  return Buffer.concat(await answer).toString()
}

const memoryOf = ({ child }: Started, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) /
  1024

const mebibytes = 1_048_576

t.test('the memory of an upload does not grow with its size', async (t) => {
  for (const path of ['/bytes', '/form']) {
    const started = await start(t, emptyFolder(t))
    const idle = memoryOf(started, 'VmRSS')
    const [first, second] = [64 * mebibytes, 192 * mebibytes]
    t.match(await send(started.port, path, first), new RegExp(`200 OK[\\s\\S]*\r\n\r\n${first}$`))
    const before = memoryOf(started, 'VmHWM')
    t.match(await send(started.port, path, second), new RegExp(`200 OK[\\s\\S]*\r\n\r\n${second}$`))
    const after = memoryOf(started, 'VmHWM')
    t.ok(after - before < 64, `${path}: ${after} MiB after ${before} MiB`)
    t.ok(after - idle < 160, `${path}: ${after} MiB, idle ${idle} MiB`)
  }
})

/** Begins an upload that stays in its handler, and waits until its file is on disk. */
async function hold(t: Test, { port, child }: Started, folder: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write(String(small).replace('/form', '/hang'))
  socket.on('error', () => undefined)
  await until(() => openIn(child, folder) === 1)
}

function openIn({ pid }: ChildProcess, folder: string): number {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return targets.filter((target) => target.startsWith(folder)).length
}

t.test('a start removes what dead processes have left, and nothing else', async (t) => {
  const folder = emptyFolder(t)
  const [dead, alive] = [await start(t, folder), await start(t, folder)]
  await Promise.all([hold(t, dead, folder), hold(t, alive, folder)])
  const of = ({ child }: Started) => readdirSync(folder).filter((name) => name.includes(`-${child.pid}-`))
  t.equal(of(dead).length, 1)
  // The file has no name, once it is open.
  await until(() => readdirSync(join(folder, String(of(dead)[0]))).length === 0)
  dead.child.kill('SIGKILL')
  await once(dead.child, 'exit')
  const [left] = of(dead)
  const reused = String(of(alive)[0]).replace(/-\d+-(\w+)$/, '-1-$1')
  const others = ['contract-uploads-', 'contract-uploads-1-2', 'other', `contract-uploads-1-2-abcdef`].map(
    (name) => join(folder, name)
  )
  const [, , , ofInit = ''] = others
  for (const path of others) mkdirSync(path)
  mkdirSync(join(folder, reused))
  symlinkSync(folder, join(folder, 'contract-uploads-999999999-1-abcdef'))
  await start(t, folder)
  const names = readdirSync(folder)
  t.notOk(names.includes(String(left)), 'of a dead process')
  t.notOk(names.includes(reused), 'of a process whose id another one has now')
  t.notOk(names.includes(ofInit.slice(folder.length + 1)), 'of an earlier process 1')
  t.ok(names.includes(String(of(alive)[0])), 'of a running process')
  t.equal(openIn(alive.child, folder), 1)
  const kept = ['contract-uploads-', 'contract-uploads-1-2', 'other', 'contract-uploads-999999999-1-abcdef']
  for (const name of kept) t.ok(names.includes(name), name)
})

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

t.test(
  'a full disk is a 503 that leaves nothing',
  { skip: !canMount && 'needs a mount of its own' },
  async (t) => {
    const folder = emptyFolder(t)
    const mount = `mount -t tmpfs -o size=1m none ${folder} && exec "$@"`
    const { port, child } = await start(t, folder, 'unshare', '-rm', 'sh', '-c', mount, 'sh')
    const files = () => openIn(child, folder)
    const large = request('POST /form', head + 'x'.repeat(3_000_000) + tail, type)
    for (let turn = 0; turn < 3; turn++) {
      const answer = await ask(port, large)
      t.match([answer.status, answer.value], [503, { code: 'unavailable' }])
      t.match(answer.headers.get('retry-after'), /^\d+$/)
      t.notMatch(answer.body, folder)
      await until(() => files() === 0)
      t.match(await ask(port, small), { status: 200, value: 100_000 }, 'there is room again')
    }
  }
)
