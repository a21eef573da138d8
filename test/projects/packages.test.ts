/** The packages as users get them: packed, installed in an empty folder, imported by each kind of consumer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { packPackages } from '../../src/tools/new/command/pack.ts'
import { serveRegistry } from './registry.ts'
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

interface Place {
  readonly cwd: string
  readonly node: string
}
const here: Place = { cwd: folder, node: process.execPath }

/** Starts a program of a folder, and returns its URL. */
async function serve(program: string, { cwd, node } = here) {
  const child = spawn(node, [program], {
    cwd,
    env: { PATH: process.env['PATH'], TOKEN: 'secret', PORT: '0', NODE_ENV: '' },
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
async function ask(program: string, place = here) {
  const { url, stop } = await serve(program, place)
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

t.test('the commands of the README install the tarballs in an empty folder, and compile', async (t) => {
  const packages = join(folder, 'plant-store/packages')
  await packPackages(packages)
  for (const file of await readdir(packages))
    t.comment(`${file}: ${Math.round((await stat(join(packages, file))).size / 1024)} KB`)
  const [contract = ''] = await blocks('engine', 'yaml')
  const [install = ''] = await blocks('service', 'sh')
  await write({
    '.npmrc': 'prefer-offline=true\naudit=false\nfund=false\n',
    'package.json': '{ "name": "bells", "version": "1.0.0", "type": "module", "private": true }',
    'openapi.yaml': contract
  })
  const commands = `set -e\n${install.replaceAll('../plant-store', './plant-store')}`
  const { code, output } = await shell(commands, { folder })
  t.equal(code, 0, output)
  const own = await readdir(join(folder, 'node_modules/@contract-first'))
  t.strictSame(own.sort(), names.toSorted(), 'nothing else of this repository')
  t.match(await shell(`npm install --save-dev typescript@${typescript} @types/node@${types}`, { folder }), {
    code: 0
  })
  t.match(await shell('npx contract generate --check', { folder }), {
    code: 0,
    output: 'generated is up to date'
  })
})

const servedOnAnyPort = (main: string): string =>
  main
    .replace('port: 3000', 'port: 0')
    .replace('await app.listen', 'const url = await app.listen')
    .concat('console.log(url)\n')

t.test('the example of the engine is TypeScript without an error, and serves', async (t) => {
  const [main = ''] = await blocks('engine', 'ts')
  const settings = { target: 'es2024', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true }
  await write({
    'main.ts': servedOnAnyPort(main),
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

/** Other managers of packages, the oldest Node of `engines`, and the next TypeScript. */
const others = { pnpm: '12.21.0', yarn: '1.22.22', node: '24.21.0', typescript: '7.0.2' }

t.test('from a registry, pnpm and yarn install what TypeScript 7 accepts and Node 24 serves', async (t) => {
  const registry = await serveRegistry(join(folder, 'plant-store/packages'))
  t.teardown(() => registry.close())
  const tools = join(folder, 'tools/node_modules')
  const { pnpm, yarn, node } = others
  await mkdir(join(folder, 'tools'))
  const allowed = { private: true, allowScripts: { node: true }, dependencies: { pnpm, yarn, node } }
  await write({ 'tools/package.json': JSON.stringify(allowed) })
  const installed = await shell('npm install --prefer-offline --no-audit --no-fund', {
    folder: join(folder, 'tools')
  })
  t.equal(installed.code, 0, installed.output)
  const [program = ''] = await blocks('engine', 'ts')
  for (const manager of ['pnpm', 'yarn'] as const) {
    const place = { cwd: join(folder, manager), node: join(tools, 'node/bin/node') }
    await mkdir(place.cwd)
    for (const name of ['openapi.yaml', 'tsconfig.json'])
      await copyFile(join(folder, name), join(place.cwd, name))
    await write({
      [`${manager}/package.json`]:
        '{ "name": "bells", "version": "1.0.0", "type": "module", "private": true }',
      [`${manager}/.npmrc`]: `@contract-first:registry=${registry.url}\n`,
      [`${manager}/main.ts`]: servedOnAnyPort(program)
    })
    const packages = [
      ...names.map((name) => `@contract-first/${name}`),
      'fastify',
      `typescript@${others.typescript}`,
      `@types/node@${types}`
    ]
    for (const command of [
      `${tools}/.bin/${manager} add --ignore-scripts ${packages.join(' ')}`,
      'node_modules/.bin/contract generate',
      'node_modules/.bin/tsc'
    ]) {
      const { code, output } = await shell(`PATH=${tools}/node/bin:$PATH ${command}`, { folder: place.cwd })
      t.equal(code, 0, `${command}: ${output}`)
    }
    t.match(await ask('main.ts', place), expected, manager)
  }
})
