/** `node test/conformance/own-server.ts`: checks this project's own server, as `npm start` starts it, on each store. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { command, Mistake, terminal, toErrors, toOutput } from '../../src/cli/command.ts'
import { runConformance } from '../../src/tools/conformance/command/run.ts'
import { Cluster } from '../store/postgres/cluster.ts'

const usage = `usage: node test/conformance/own-server.ts [--requests N] [--seed N]

  Starts the service on SQLite, then on PostgreSQL, and sends each the requests of
  npm run conformance; exits 1 with findings.`
const options = {
  '--requests N': 'requests for each operation and store [10500]',
  '--seed N': 'equal seeds send equal requests [1]'
}

const project = resolve(import.meta.dirname, '../..')
const token = 'token-of-the-conformance-check'

await command({ usage, options }, async (line) => {
  const [requests, seed] = [Number(line.value('requests') ?? 10_500), Number(line.value('seed') ?? 1)]
  if (!(Number.isInteger(requests) && requests > 0 && Number.isInteger(seed)))
    throw new Mistake(['--requests and --seed must be whole numbers'], { exitCode: 2 })
  const folder = await mkdtemp(join(tmpdir(), 'own-server-'))
  const cluster = await Cluster.create()
  try {
    await cluster.start()
    const stores = { SQLite: `sqlite:${join(folder, 'plants.db')}`, PostgreSQL: cluster.url() }
    for (const [name, databaseUrl] of Object.entries(stores))
      await check(name, databaseUrl, { requests, seed })
  } finally {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

async function check(
  name: string,
  databaseUrl: string,
  limits: { requests: number; seed: number }
): Promise<void> {
  const { child, url } = await started(databaseUrl)
  try {
    const options = {
      ...limits,
      url,
      contract: join(project, 'openapi.yaml'),
      token,
      headers: {},
      format: 'text'
    } as const
    const paints = { output: toOutput, errors: toErrors }
    const { text, findings } = await runConformance(options, { paints, progress: terminal() })
    process.stdout.write(`${name}: ${text}`)
    if (findings > 0) process.exitCode = 1
  } finally {
    child.kill('SIGKILL')
  }
}

async function started(databaseUrl: string): Promise<{ child: ChildProcess; url: URL }> {
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    AUTH_TOKENS: token
  }
  const child = spawn(process.execPath, [join(project, 'src/main.ts')], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  const [message] = await once(child, 'message')
  return { child, url: new URL(String(Reflect.get(Object(message), 'url'))) }
}
