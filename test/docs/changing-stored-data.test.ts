/** Follows docs/changing-stored-data.md to the letter, in a copy of the project. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { sentenceOf } from '../../src/plants/check-plants.ts'
import { ProjectCopy } from '../e2e/project-copy.ts'
import { patternOf, type Step, stepsOf } from './tutorial.ts'

t.setTimeout(900_000)

const plants = `{"id":1,"name":"Monstera deliciosa","tag":"climber"}
{"id":2,"name":"Aloe vera"}
{"id":3,"name":"Ficus benjamina"}
`

t.test('every step of the page has the output that it prints', async (t) => {
  const copy = await ProjectCopy.make(t)
  await mkdir(join(copy.folder, 'changes'))
  await writeFile(join(copy.folder, 'backup.ndjson'), plants)
  t.match(await copy.runScript('npm run --silent import < backup.ndjson'), { code: 0 })
  const follow = async (step: Step) => {
    if (step.kind === 'file') return writeFile(join(copy.folder, step.file), step.text)
    if (step.kind === 'edit')
      return copy.edit(step.file, (text) => text.replace(step.before, () => step.after))
    if (step.kind === 'shown') return t.equal(step.text, `${sentenceOf(shown)}\n`)
    const { code, output } = await copy.runScript(step.command)
    const pattern = new RegExp(`^${patternOf(step.output).source}$`)
    return t.match({ code, output: output.trim() }, { code: 0, output: pattern }, step.command)
  }
  for (const step of stepsOf(await readFile('docs/changing-stored-data.md', 'utf8'))) await follow(step)
})

const shown = {
  digest: '',
  fits: undefined,
  checked: 40_311,
  misfits: 12,
  first: { id: 77n, reason: 'kind is required' },
  after: undefined,
  isDone: true
}
