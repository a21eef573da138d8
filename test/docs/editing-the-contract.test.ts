/** Carries out every step of docs/editing-the-contract.md and docs/adding-a-list.md in a copy of the project. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { DevSession } from '../scripts/dev/dev-session.ts'
import { patternOf, type Step, stepsOf } from './tutorial.ts'

t.setTimeout(600_000)

const pages = ['docs/editing-the-contract.md', 'docs/adding-a-list.md']

t.test('every step of the tutorial has the output that it prints', async (t) => {
  const dev = await DevSession.start(t, { checksTypes: true })
  const local = (text: string) => text.replaceAll('http://127.0.0.1:3000', dev.url)
  let isServed = false
  const follow = async (step: Step) => {
    const wasServed = isServed
    isServed = step.kind === 'shown' || (step.kind === 'command' && step.command.startsWith('curl'))
    if (step.kind === 'edit') return edit(dev, step)
    if (step.kind === 'file') return writeFile(join(dev.copy.folder, step.file), step.text)
    if (step.kind === 'shown')
      return void t.match(await dev.shows(patternOf(step.text)), patternOf(step.text))
    if (step.command === 'npm run dev') return void t.match(dev.started, patternOf(local(step.output)))
    if (!wasServed && isServed) await dev.settles()
    return t.match(await outputOf(dev, local(step.command)), patternOf(local(step.output)), step.command)
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
  t.equal(await dev.copy.checkTypes(), '', 'the tests compile, too')
  await dev.end('SIGINT')
})

async function outputOf(dev: DevSession, command: string): Promise<string> {
  if (command.startsWith('npm test')) await dev.copy.complete()
  const { code, output } = await dev.copy.runScript(command, { TOKEN: dev.token })
  if (code !== 0) throw new Error(`${command} exits ${code}: ${output}`)
  return output.replaceAll(/^(> |npm warn|npm notice).*\n/gm, '').trim()
}

async function edit(dev: DevSession, { file, before, after }: Step & { kind: 'edit' }): Promise<void> {
  const text = await dev.copy.read(file)
  const places = text.split(before).length - 1
  if (places !== 1) throw new Error(`${file} has ${places} places for ${JSON.stringify(before)}`)
  await dev.copy.edit(file, () => text.replace(before, () => after))
}
