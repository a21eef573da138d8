/** The same contract compiles to the same bytes, whoever compiles it, and wherever. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { sha256 } from '../../../src/contract/load/own-formats.ts'

t.setTimeout(900_000)

const run = promisify(execFile)

/** Names that languages order differently: z before t in Estonian, y beside i in Lithuanian, ı and i in Turkish. */
const names = ['z', 't', 'õ', 'Z', 'y', 'i', 'I', 'ı', 'İ', 'ä', 'a', 'B', 'ch', 'c', '10', '9']

const partOf = (name: string) => `parts/${name}-${names.indexOf(name)}.yaml`
const members = (value: (name: string) => unknown) =>
  Object.fromEntries(names.map((name) => [name, value(name)]))

/** Contract of many files, in JSON, which is YAML. */
const content = { 'application/json': { schema: { $ref: '../shared.yaml#/All' } } }
const files: readonly (readonly [path: string, value: object])[] = [
  [
    'openapi.yaml',
    {
      ...{ openapi: '3.1.0', info: { title: 'Names', version: '1' }, security: [members(() => [])] },
      paths: Object.fromEntries(
        names.map((name) => {
          const parameters = [{ name, in: 'query', schema: { enum: names } }]
          const responses = { 200: { $ref: `${partOf(name)}#/ok` } }
          const get = { operationId: `${name}.get`, tags: [name], parameters, responses }
          return [`/${encodeURIComponent(name)}`, { get }]
        })
      ),
      components: { securitySchemes: members(() => ({ type: 'apiKey', in: 'header', name: 'x-key' })) }
    }
  ],
  ...names.map((name) => [partOf(name), { ok: { description: name, content } }] as const),
  ['shared.yaml', { All: { type: 'object', properties: members((name) => ({ const: name })) } }]
]

async function written(root: string, lineEnd = '\n'): Promise<string> {
  for (const [path, value] of files) {
    const file = join(root, 'api', path)
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, JSON.stringify(value, null, 2).replaceAll('\n', lineEnd))
  }
  return join(root, 'api/openapi.yaml')
}

/** Compiles in a process with another environment. */
async function digestsIn(environment: NodeJS.ProcessEnv, path: string): Promise<string> {
  const compiler = join(import.meta.dirname, '../../../src/compiler/compile/compile.ts')
  const code = `
    const { compileContract } = await import(${JSON.stringify(compiler)})
    const { files, problems } = await compileContract(${JSON.stringify(path)}, ${JSON.stringify(join(path, '../../out'))})
    console.log(Intl.DateTimeFormat().resolvedOptions().locale, new Date(0).getTimezoneOffset())
    console.log(JSON.stringify([...files, problems]))`
  const { LC_ALL, LANG, LC_COLLATE, TZ, ...others } = process.env
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...others, ...environment },
    maxBuffer: 1e8
  })
  const [seen, ...text] = stdout.split('\n')
  return `${seen} ${sha256(text.join('\n'))}`
}

t.test('output does not depend on the locale and the time zone', async (t) => {
  const path = await written(t.testdir())
  const environments = [
    [{ LC_ALL: 'C', TZ: 'UTC' }, /^en-US 0 /],
    [{ LC_ALL: 'et_EE.UTF-8', TZ: 'Pacific/Kiritimati' }, /^et-EE 640 /],
    [{ LANG: 'tr_TR', TZ: 'America/St_Johns' }, /^tr-TR 210 /],
    [{ LC_ALL: 'lt_LT.UTF-8' }, /^lt-LT /]
  ] as const
  const seen = []
  for (const [environment, pattern] of environments) {
    const line = await digestsIn(environment, path)
    t.match(line, pattern, 'the locale is in effect')
    seen.push(line.split(' ')[2])
  }
  t.equal(new Set(seen).size, 1, seen.join(' '))
})

t.test(
  'output does not depend on the folder, on line ends and on the order of the files in a folder',
  async (t) => {
    const compiled = async (path: string) => [...(await compileContract(path, join(path, '../../out'))).files]
    const root = t.testdir({ a: {}, 'Ö ä/deep/b': {}, c: {} })
    const expected = await compiled(await written(join(root, 'a')))
    const moved = await written(join(root, 'Ö ä/deep/b'))
    for (const name of names.toReversed()) {
      const file = join(moved, '..', partOf(name))
      await copyFile(file, `${file}.new`)
      await rename(`${file}.new`, file)
    }
    t.strictSame(await compiled(moved), expected)
    t.strictSame(await compiled(await written(join(root, 'c'), '\r\n')), expected)
    const single = async (text: string) => {
      await writeFile(join(root, 'a/single.yaml'), text)
      return compiled(join(root, 'a/single.yaml'))
    }
    t.strictSame(await single(contractOf('A').replaceAll('\n', '\r\n')), await single(contractOf('A')))
  }
)

t.test('every file is read once, and what is served is what was read', async (t) => {
  const path = await written(t.testdir())
  const read: string[] = []
  const compiled = await compileContract(path, join(path, '../../out'), { onFile: (file) => read.push(file) })
  t.equal(new Set(read).size, read.length)
  t.equal(compiled.sources.length, names.length + 2)

  const single = join(t.testdir({ 'single.yaml': contractOf('first') }), 'single.yaml')
  const { files } = await compileContract(single, join(single, '../out'), {
    onPhase: (phase) => {
      if (phase === 'checking the operations') writeFileSync(single, contractOf('second'))
    }
  })
  const { yaml } = await import(
    `data:text/javascript,${encodeURIComponent(String(files.get('document.js')))}`
  )
  t.equal(yaml, contractOf('first'))
  t.match(files.get('contract.ts'), `sha256: '${sha256(contractOf('first'))}'`)
})

const contractOf = (title: string) => `openapi: 3.1.0\ninfo: { title: ${title}, version: '1' }\npaths: {}\n`
