import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ContractStep } from '../../../../src/compiler/command/dev/contract-step.ts'
import { typeReport } from '../../../../src/compiler/command/dev/develop.ts'
import { readProject } from '../../../../src/compiler/command/generate/read-project.ts'

const contractOf = (...names: readonly string[]) =>
  [
    'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:',
    ...names.map(
      (name) => `  /${name}: { get: { operationId: ${name}, responses: { '204': { description: d } } } }`
    ),
    ''
  ].join('\n')

/** Returns the step of a project, and a function that saves a contract, or another file, and runs the step. */
function prepare(t: Test) {
  const folder = t.testdir({})
  const project = readProject(folder)
  const step = new ContractStep(project, () => {})
  const save = async (text: string, path = project.contract) => {
    await writeFile(path, text)
    const outcome = await step.run(new Set([path]))
    return { ...outcome, lines: await outcome.report() }
  }
  const first = async () => {
    await writeFile(project.contract, contractOf('a'))
    await step.run(undefined)
    step.shown()
  }
  return { folder, project, step, save, first }
}

t.test('a save shows the changes of the saves that it has overtaken', async (t) => {
  const { folder, step, save, first } = prepare(t)
  await first()
  t.match((await save(contractOf('a', 'b'))).lines, [/^compiled in/, 'compatible: GET /b added'])
  const second = await save(contractOf('b', 'c'))
  t.match(second, {
    isGood: true,
    isNew: true,
    lines: [/^compiled in/, /^breaking: GET \/a is gone .*compatible: GET \/b added, GET \/c added/]
  })
  t.match(
    await save('', join(folder, 'a-source.ts')),
    { isNew: false, lines: second.lines },
    'no contract was saved'
  )
  t.match(await save('wrong'), { isGood: false })
  step.shown()
  t.match(
    (await save(contractOf('c'))).lines.at(-1),
    'breaking: GET /a is gone   compatible: GET /c added',
    'the failed one has shown no changes'
  )
  step.shown()
  t.same((await save('', join(folder, 'a-source.ts'))).lines, [], 'what was shown is not shown again')
  t.match((await save(contractOf('c', 'd'))).lines.at(-1), 'compatible: GET /d added')
})

t.test('an error that the contract does not cause is shown with its stack', async (t) => {
  const { project, save, first } = prepare(t)
  await first()
  await rm(project.out, { recursive: true })
  await writeFile(project.out, 'a file')
  const { isGood, lines } = await save(contractOf('a', 'b'))
  t.notOk(isGood)
  t.match(lines[0], 'the compiler failed, which is a defect of its own:')
  t.match(lines.slice(1).join('\n'), /EEXIST[\s\S]* at /)
})

t.test(
  'the errors of the type checker are shown with their places, and their absence in a line',
  async (t) => {
    const folder = t.testdir({ 'a.ts': 'const a: string = 1\n' })
    const problem = {
      severity: 'error',
      file: join(folder, 'a.ts'),
      line: 1,
      column: 7,
      message: 'TS2322: wrong'
    } as const
    t.strictSame(typeReport([], { folder, time: 1234 }), ['types are right (1.2 s)'])
    t.strictSame(typeReport([problem], { folder, time: 50 }), [
      '',
      'a.ts:1:7 TS2322: wrong',
      '  1 | const a: string = 1',
      '    |       ^',
      'types are wrong (0.1 s)'
    ])
  }
)
