/** The project that docs/your-own-contract.md makes, without the installation of its packages. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { paintFor } from '../../src/cli/format.ts'
import { runNew } from '../../src/tools/new/command/run.ts'
import { stepsOf } from './tutorial.ts'

const paint = paintFor({}, {})
const withoutPackages = {
  paints: { output: paint, errors: paint },
  vendor: async () => undefined,
  install: async () => undefined,
  makeRepository: async () => 'a repository with a first commit'
}

/** @param beside folder of the contract and of the project */
export async function makeLending(beside: string): Promise<string> {
  const folder = join(beside, 'lending')
  const steps = stepsOf(await readFile('docs/your-own-contract.md', 'utf8'))
  for (const step of steps) {
    if (step.kind === 'file')
      await write(join(step.file.endsWith('.yaml') ? beside : folder, step.file), step.text)
    if (step.kind === 'command' && step.command.startsWith('npm run new'))
      await runNew({ folder, contract: join(beside, 'lending.yaml'), mock: false }, withoutPackages)
  }
  return folder
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
