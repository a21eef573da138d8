/** Carries out every page of docs/tasks in a project of its own: its files, commands, requests and answers. */
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { validate } from 'dockerfile-utils'
import t, { type Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { paintFor } from '../../src/cli/format.ts'
import { runNew } from '../../src/tools/new/command/run.ts'
import { diagnose } from '../contracts/type-check.ts'
import { commandOf, stagesOf } from '../projects/dockerfile.ts'
import { Cluster } from '../store/postgres/cluster.ts'
import { awkward, recipeOf, variables } from './awkward.ts'
import { PageProject } from './page-project.ts'
import { type Step, stepsOf } from './tutorial.ts'

t.setTimeout(900_000)

const pages = readdirSync('docs/tasks')
  .filter((name) => name !== 'README.md')
  .sort()
const textOf = (page: string) => readFileSync(join('docs/tasks', page), 'utf8')
const nameOf = (page: string) => page.replace('.md', '')

const paint = paintFor({}, {})
const withoutPackages = {
  paints: { output: paint, errors: paint },
  vendor: async () => undefined,
  install: async () => undefined,
  makeRepository: async () => 'a repository with a first commit'
}

/**
 * Makes the project of docs/your-own-contract.md, without the installation of its packages.
 * @param beside folder of the contract and of the project
 */
async function makeLending(beside: string): Promise<string> {
  const folder = join(beside, 'lending')
  const steps = stepsOf(readFileSync('docs/your-own-contract.md', 'utf8'))
  for (const step of steps) {
    if (step.kind === 'file') {
      const file = join(step.file.endsWith('.yaml') ? beside : folder, step.file)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, step.text)
    }
    if (step.kind === 'command' && step.command.startsWith('npm run new'))
      await runNew({ folder, contract: join(beside, 'lending.yaml'), mock: false }, withoutPackages)
  }
  return folder
}

const root = mkdtempSync(join(tmpdir(), 'tasks-'))
t.teardown(() => rmSync(root, { recursive: true, force: true }))
symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
const lending = await makeLending(root)

let cluster: Cluster | undefined
t.teardown(() => cluster?.remove())

async function database(name: string): Promise<string> {
  if (cluster === undefined) {
    cluster = await Cluster.create()
    await cluster.start()
  }
  return cluster.database(name)
}

/** Returns a free port below those that the system gives to others. */
async function port(): Promise<number> {
  const server = createServer()
  try {
    await once(server.listen(20_000 + Math.floor(Math.random() * 10_000), '127.0.0.1'), 'listening')
  } catch {
    return port()
  }
  const { port: found } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return found
}

/** States that a page begins in, beside the files of earlier pages. */
const states: Readonly<Record<string, (folder: string) => void>> = {
  'update.md': (folder) => {
    const file = join(folder, 'generated/contract.ts')
    const text = readFileSync(file, 'utf8')
    const older = text.replace(/(?<=format: ')\w+/, '000000000000')
    writeFileSync(file, older)
  }
}

for (const page of pages) t.test(`${page} does what it shows`, (t) => carryOut(t, page))

/** Returns the steps of the pages that a page goes on from which change files. */
function prepared(page: string): Step[] {
  const [, sentence = ''] = /^Goes on from ([^.]+(?:\.md[^.]+)*)\./m.exec(textOf(page)) ?? []
  const before = [...sentence.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = '']) => name)
  const steps = before.flatMap((name) => [...prepared(name), ...stepsOf(textOf(name))])
  return steps.filter(({ kind }) => kind === 'file' || kind === 'edit')
}

async function carryOut(t: Test, page: string): Promise<void> {
  const folder = join(root, nameOf(page))
  cpSync(lending, folder, { recursive: true })
  const project = new PageProject(folder, { database: () => database(nameOf(page)), port })
  t.teardown(() => project.end())
  states[page]?.(folder)
  for (const step of prepared(page)) await project.follow(step)
  const steps = stepsOf(textOf(page))
  t.ok(
    steps.some(({ kind }) => kind === 'command'),
    'shows a command'
  )
  for (const step of steps) {
    const outcome = await project.follow(step)
    if (outcome !== undefined) t.match(outcome.found, outcome.wanted, 'command' in step ? step.command : '')
  }
  await awkward[page]?.(t, recipeOf(t, project))
}

const server = 'postgres://lending:secret@127.0.0.1:5432/lending'
const onDatabase = pages.filter((page) => page in awkward).filter((page) => prepared(page).length > 0)

for (const page of onDatabase) {
  t.test(`${page} is right on PostgreSQL, too`, async (t) => {
    const folder = join(root, `${nameOf(page)}-on-postgres`)
    cpSync(lending, folder, { recursive: true })
    const project = new PageProject(folder, { database: () => database(`${nameOf(page)}-cases`), port })
    t.teardown(() => project.end())
    const steps = [...prepared(page), ...stepsOf(textOf('postgresql.md')), ...stepsOf(textOf(page))]
    const makes = (step: Step) =>
      step.kind !== 'shown' && !('command' in step && !/^npm run generate/.test(step.command))
    for (const step of steps.filter(makes)) await project.follow(step)
    const recipe = recipeOf(t, project, server)
    await recipe.start('3000', variables[page])
    await awkward[page]?.(t, recipe)
  })
}

t.test('the code of all pages compiles', async (t) => {
  const files = pages.flatMap((page) =>
    globSync('{src,test,scripts}/**/*.ts', { cwd: join(root, nameOf(page)) }).map((file) =>
      join(root, nameOf(page), file)
    )
  )
  t.ok(files.length > 6 * pages.length)
  t.strictSame(await diagnose('tasks', files), [])
})

t.test('deploy.md starts what the image of a new project starts', async (t) => {
  const dockerfile = readFileSync(join(lending, 'Dockerfile'), 'utf8')
  t.strictSame(validate(dockerfile), [], 'the Dockerfile has no lint problems')
  const { instructions = [] } = stagesOf(dockerfile).at(-1) ?? {}
  const [command = ''] = instructions.flatMap(({ name, rest }) => (name === 'CMD' ? [rest] : []))
  t.match(textOf('deploy.md'), `$ NODE_ENV=production ${commandOf(command).join(' ')} &\n`)
})

t.test('a page installs only packages that this repository has, too', async (t) => {
  const known = { ...manifest.dependencies, ...manifest.devDependencies }
  const commands = pages.flatMap((page) => [...textOf(page).matchAll(/^npm install (.*)$/gm)])
  const names = commands.flatMap(([, given = '']) => given.split(' ')).filter((name) => !/^[-.]/.test(name))
  t.strictSame(
    names.filter((name) => !Object.hasOwn(known, name.replace(/(?<=.)@.*/, ''))),
    []
  )
})

t.test('every page is short, and ends with the next step', async (t) => {
  for (const page of pages) {
    const text = textOf(page)
    const words = text.replaceAll(/^```.*?^```$/gms, '').split(/\s+/).length
    t.ok(words > 80 && words < 400, `${page}: ${words} words beside its code`)
    t.match(text, /\n\*\*Next:\*\* .*\]\([\w./#-]+\)[^\n]*(\n[^\n]+)*\n$/, page)
  }
})

t.test('the list of the pages names each', async (t) => {
  const list = readFileSync('docs/tasks/README.md', 'utf8')
  t.strictSame([...list.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page).sort(), pages)
})
