/** The packages as users get them: packed, installed in an empty folder, imported by each kind of consumer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { packPackages } from '../../src/compiler/command/new/pack.ts'
import { shell } from './shell.ts'

t.setTimeout(900_000)
const { typescript, '@types/node': types } = manifest.devDependencies
const tsc = 'node node_modules/typescript/bin/tsc'
const names = ['engine', 'service', 'contract', 'compiler'] as const
const folder = await mkdtemp(join(tmpdir(), 'consumer-'))
t.teardown(() => rm(folder, { recursive: true }))

const write = (files: Readonly<Record<string, string>>) =>
  Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))

/** Returns the code blocks of a README, by language and order. */
async function blocks(name: string, language: string): Promise<string[]> {
  const page = await readFile(resolve('src', name, 'README.md'), 'utf8')
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)
}

/** Starts a program of the folder, and returns its URL. */
async function serve(program: string, environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TOKEN: 'secret', PORT: '0', NODE_ENV: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  const exited = once(child, 'exit')
  const url = await new Promise<string>((found, fail) => {
    const onData = (text: Buffer) => {
      output += text
      const [listening] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
      if (listening !== undefined) found(listening)
    }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', onData)
    exited.then(() => fail(new Error(output)))
  })
  return {
    url,
    stop: async () => {
      child.kill()
      await exited
    }
  }
}

/** Requests a bell from each program: with a token, with a wrong id, without a token. */
async function ask(program: string) {
  const { url, stop } = await serve(program)
  const headers = { authorization: 'Bearer secret' }
  const [right, wrong, refused] = await Promise.all([
    fetch(`${url}/bells/3`, { headers }),
    fetch(`${url}/bells/three`, { headers }),
    fetch(`${url}/bells/3`)
  ])
  const statuses = [right.status, wrong.status, refused.status]
  const bodies = [await right.json(), await wrong.json(), await refused.json()]
  await stop()
  return { statuses, bodies }
}

const expected = {
  statuses: [200, 400, 401],
  bodies: [{ id: 3, tone: 'c' }, { code: 400 }, { code: 401 }]
}

t.test('the tarballs are installed in an empty folder', async (t) => {
  const tarballs = join(folder, 'tarballs')
  await packPackages(tarballs)
  const files = names.map((name) => `./tarballs/contract-first-${name}-${manifest.version}.tgz`)
  for (const file of files)
    t.comment(`${file}: ${Math.round((await stat(join(folder, file))).size / 1024)} KB`)
  await write({
    'package.json': '{ "name": "bells", "version": "1.0.0", "type": "module", "private": true }'
  })
  const { code, output } = await shell(
    `npm install --prefer-offline --no-audit --no-fund ${files.join(' ')} typescript@${typescript} @types/node@${types}`,
    { folder }
  )
  t.equal(code, 0, output)
})

t.test('contract generate compiles openapi.yaml of the folder', async (t) => {
  const [contract = ''] = await blocks('engine', 'yaml')
  await write({ 'openapi.yaml': contract })
  const { code, output } = await shell('npx contract generate && npx contract generate --check', { folder })
  t.equal(code, 0, output)
  t.match(output, 'generated is up to date')
})

t.test('the example of the engine is TypeScript without an error, and serves', async (t) => {
  const [main = ''] = await blocks('engine', 'ts')
  const settings = { target: 'es2024', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true }
  await write({
    'main.ts': main
      .replace('port: 3000', 'port: 0')
      .replace('await app.listen', 'const url = await app.listen')
      .concat('console.log(url)\n'),
    'tsconfig.json': JSON.stringify({ compilerOptions: { ...settings, allowImportingTsExtensions: true } })
  })
  t.match(await shell(tsc, { folder }), { code: 0, output: '' })
  t.match(await ask('main.ts'), expected)
})

t.test('a mistake in a handler is an error of TypeScript', async (t) => {
  const main = await readFile(join(folder, 'main.ts'), 'utf8')
  await write({ 'main.ts': main.replace("tone: 'c'", 'tone: 7') })
  t.match(await shell(tsc, { folder }), {
    code: 2,
    output: /^main\.ts.*TS2322[\s\S]*Type 'number' is not assignable to type 'string'/m
  })
  await write({ 'main.ts': main })
})

t.test('the example of the service is TypeScript without an error, and serves', async (t) => {
  const [main = '', app = ''] = await blocks('service', 'ts')
  await write({ 'main.ts': main, 'app.ts': app })
  t.match(await shell(tsc, { folder }), { code: 0, output: '' })
  t.match(await ask('main.ts'), expected)
  const { url, stop } = await serve('main.ts')
  for (const path of ['/docs', '/openapi.yaml', '/openapi.json', '/-/live', '/-/ready'])
    t.equal((await fetch(url + path)).status, 200, path)
  await stop()
})

const javascript = (load: (name: string) => string) => `
const { createContractServer } = ${load('@contract-first/engine/server')}
const { default: contract } = ${load('./generated/contract.ts')}
module_()

async function module_() {
  const app = await createContractServer({
    contract,
    handlers: { getBell: async ({ params }) => ({ status: 200, body: { id: params.id, tone: 'c' } }) },
    security: { bearerAuth: (token) => (token === process.env.TOKEN ? { id: 'ringer' } : undefined) },
    errorBody: ({ status, message }) => ({ code: status, message })
  })
  console.log(await app.listen({ port: 0 }))
}
`

t.test('an ES module in JavaScript serves', async (t) => {
  await write({ 'server.js': javascript((name) => `await import('${name}')`) })
  t.match(await ask('server.js'), expected)
})

t.test('a CommonJS module serves', async (t) => {
  await write({ 'server.cjs': javascript((name) => `require('${name}')`) })
  t.match(await ask('server.cjs'), expected)
})

t.test('the compiler is a library of JavaScript', async (t) => {
  const [script = ''] = await blocks('compiler', 'js')
  await write({ 'generate.js': script })
  t.match(await shell('node generate.js', { folder }), { code: 0, output: 'written: nothing\n' })
})

t.test('every export of the packages can be imported, with its types', async (t) => {
  const specifiers = await Promise.all(
    names.map(async (name) => {
      const { exports } = JSON.parse(
        await readFile(join(folder, 'node_modules/@contract-first', name, 'package.json'), 'utf8')
      )
      return Object.keys(exports).flatMap((path) =>
        /\*|package\.json/.test(path) ? [] : [`@contract-first/${name}${path.slice(1)}`]
      )
    })
  )
  t.ok(specifiers.flat().length >= 9)
  await write({
    'all.ts': specifiers
      .flat()
      .map((name, index) => `import * as x${index} from '${name}'\nexport { x${index} }\n`)
      .join('')
  })
  t.match(await shell(`${tsc} && node all.ts`, { folder }), { code: 0, output: '' })
})
