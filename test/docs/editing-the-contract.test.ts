/** Carries out every step of docs/editing-the-contract.md and docs/adding-a-list.md in a copy of the project. */
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { DevSession } from '../compiler/command/dev/dev-session.ts'
import { type Outcome, serviceOnly } from '../e2e/project-copy.ts'
import { patternOf, type Step, stepsOf } from './tutorial.ts'

t.setTimeout(900_000)

const pages = ['docs/editing-the-contract.md', 'docs/adding-a-list.md']

/** Tests that an edit of the contract or of the handlers can break directly. */
const tests = ['test/plants', 'test/app.test.ts', 'test/documents.test.ts', 'test/examples.test.ts']

t.test('every step of the tutorial has the output that it prints', async (t) => {
  const dev = await DevSession.start(t, { checksTypes: true })
  const local = (text: string) => text.replaceAll('http://127.0.0.1:3000', dev.url)
  let unsaved = new Map<string, string>()
  const save = () => {
    for (const [file, text] of unsaved) writeFileSync(join(dev.copy.folder, file), text)
    unsaved = new Map()
  }
  const follow = async (step: Step) => {
    if (step.kind === 'edit') return void unsaved.set(step.file, await edited(dev, step, unsaved))
    if (step.kind === 'file') return void unsaved.set(step.file, step.text)
    // The reader saves here: a file saved twice in a row may be served twice, each time with its own changes.
    save()
    if (step.kind === 'shown')
      return void t.match(await dev.shows(patternOf(step.text)), patternOf(step.text))
    if (step.command === 'npm run dev') return void t.match(dev.started, patternOf(local(step.output)))
    t.match(await outputOf(dev, local(step.command)), patternOf(local(step.output)), step.command)
    if (step.command.endsWith('--stubs')) await dev.shows(/serving after/)
  }
  for (const page of pages) {
    const steps = stepsOf(await readFile(page, 'utf8'))
    const files = new Set(steps.flatMap((step) => ('file' in step ? [step.file] : [])))
    t.ok(files.size > 2 && files.size <= 6, `${page} edits ${files.size} files`)
    t.notOk(
      [...files].some((file) => file.startsWith('src/store/')),
      'and the store is not one of them'
    )
    for (const step of steps) await follow(step)
  }
  await dev.end('SIGINT')
  await dev.copy.checkOnly([...serviceOnly, ...tests])
  t.equal(await dev.copy.checkTypes(), '', 'the tests compile, too')
})

/**
 * Recognises the exit codes of curl while no server has the port: no connection, no answer, a connection that is reset.
 */
const isBetweenServers = (code: number) => [7, 52, 56].includes(code)

async function outputOf(dev: DevSession, command: string): Promise<string> {
  if (command.startsWith('npm test')) await dev.copy.complete()
  let outcome: Outcome
  do outcome = await dev.copy.runScript(command, { TOKEN: dev.token })
  while (command.startsWith('curl') && isBetweenServers(outcome.code))
  const { code, output } = outcome
  if (code !== 0) throw new Error(`${command} exits ${code}: ${output}`)
  return output.replaceAll(/^(> |npm warn|npm notice).*\n/gm, '').trim()
}

async function edited(
  dev: DevSession,
  { file, before, after }: Step & { kind: 'edit' },
  unsaved: ReadonlyMap<string, string>
): Promise<string> {
  const text = unsaved.get(file) ?? (await dev.copy.read(file))
  const places = text.split(before).length - 1
  if (places !== 1) throw new Error(`${file} has ${places} places for ${JSON.stringify(before)}`)
  return text.replace(before, () => after)
}
