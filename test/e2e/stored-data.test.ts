/** Stored plants through edits of the contract, on one database, and the edits that would silently lose data. */
import { once } from 'node:events'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { sleep } from '../time.ts'
import { endGroup, ProjectCopy } from './project-copy.ts'
import { create, token } from './running.ts'
import type { StoredPlants } from './stored-plants.ts'

t.setTimeout(900_000)

const copy = await ProjectCopy.make(t, { checked: ['src/plants'] })

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Program that prints the stored plants after an edit. */
const outcome = 'test/e2e/stored-plants.ts'

/** Restores the copy, without a database. */
async function begin(): Promise<void> {
  await copy.reset()
  await mkdir(join(copy.folder, 'changes'))
  await mkdir(dirname(join(copy.folder, outcome)), { recursive: true })
  await copyFile(outcome, join(copy.folder, outcome))
}

type Edits = readonly (readonly [before: string | RegExp, after: string])[]

async function edit(edits: Edits): Promise<void> {
  for (const [before, after] of edits)
    await copy.edit('openapi.yaml', (text) => text.replace(before, () => after))
  const { code, output } = await copy.generate()
  if (code !== 0) throw new Error(output)
}

async function succeeds(line: string): Promise<string> {
  const { code, output } = await copy.run(line)
  if (code !== 0) throw new Error(`${line}: ${output}`)
  return output
}

const stored = async (): Promise<StoredPlants> => JSON.parse(await succeeds(`node ${outcome}`))

/** Starts the server, creates the plants, waits for the log to match, and stops it. */
async function served(
  bodies: readonly string[],
  log?: RegExp
): Promise<{ answers: Answer[]; lines: string }> {
  const { child, output } = await copy.start('exec node src/main.ts', /listening at (http\S+?)"/, {
    AUTH_TOKENS: token
  })
  let lines = output
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (lines += data))
  const url = /listening at (http[^\s"]+)/.exec(lines)?.[1] ?? ''
  const answers: Answer[] = []
  for (const body of bodies) {
    const answer = await create(url, body)
    answers.push({ status: answer.status, body: (await answer.json()) as Answer['body'] })
  }
  for (let left = 600; log !== undefined && !log.test(lines) && left > 0; left--) await sleep(50)
  endGroup(child)
  if (child.exitCode === null) await once(child, 'close')
  return { answers, lines }
}

const onlyInNewPlant = [
  '              examples: [42]\n',
  '              examples: [42]\n            notes:\n              type: string\n'
] as const

t.test(
  'a property that only the request declares is stored, and decides whether plants are the same',
  async (t) => {
    await begin()
    await edit([onlyInNewPlant])
    const bodies = ['keep me', 'keep me', 'other'].map((notes) => JSON.stringify({ id: 1, name: 'a', notes }))
    const { answers } = await served(bodies)
    t.same(answers, [
      { status: 200, body: { name: 'a' } },
      { status: 200, body: { name: 'a' } },
      { status: 400, body: { error: 4002, message: 'id 1 is taken by a different plant' } }
    ])
    t.equal(await succeeds('node scripts/export.ts'), '{"id":1,"name":"a","notes":"keep me"}\n')
  }
)

const incompatible: readonly [what: string, before: string, after: string, sentence: RegExp][] = [
  [
    'answers 201',
    "        '200':\n          description: The plant is stored",
    "        '201':\n          description: The plant is stored",
    /^operation createPlant answers no JSON with status 200 in openapi\.yaml; src\/plants\/plant\.ts asks for it\n$/
  ],
  [
    'is called addPlant',
    'operationId: createPlant',
    'operationId: addPlant',
    /^operation createPlant is missing in openapi\.yaml; src\/plants\/plant\.ts asks for it\n$/
  ]
]
for (const [what, before, after, sentence] of incompatible) {
  t.test(`an operation that ${what} is an error of tsc, and a sentence at the start`, async (t) => {
    await begin()
    await copy.edit('openapi.yaml', (text) => text.replace(before, after))
    await copy.generate()
    t.match(await copy.checkTypes(), /src\/plants\/plant\.ts\(\d+,\d+\): error TS/)
    const { code, output } = await copy.run('node src/main.ts')
    t.match({ code, output }, { code: 1, output: sentence })
  })
}

interface Step {
  readonly what: string
  readonly edits: Edits
  /** Last line of the log about stored plants; undefined if there is none. */
  readonly log?: RegExp
  /** Body of a create that is sent again after the edit. */
  readonly retry: string
  readonly status: number
  /** Change that makes the stored plants fit, with its output. */
  readonly change?: readonly [body: string, changed: string]
}

const count = 3_000
const old = '{"id":7,"name":"plant 7","tag":"odd"}'
const fits = /all 3,000 stored plants fit Plant/
const misfit = (number: string, first: string) =>
  RegExp(`${number} of 3,000 stored plants do not fit Plant any more; first id ${first}`)

const steps: readonly Step[] = [
  { what: 'an optional property', edits: [onlyInNewPlant], log: fits, retry: old, status: 200 },
  {
    what: 'a description',
    edits: [['description: The name of the plant', 'description: Its name']],
    retry: old,
    status: 200
  },
  {
    what: 'a bound that some plants break',
    edits: [['          examples: [climber]\n', '          examples: [climber]\n          minLength: 4\n']],
    log: misfit('1,500', '1: tag must have at least 4 characters'),
    retry: old,
    status: 400
  },
  {
    what: 'the bound is taken back',
    edits: [['          minLength: 4\n', '']],
    log: fits,
    retry: old,
    status: 200
  },
  {
    what: 'a rename',
    edits: [
      ['        tag:\n', '        kind:\n'],
      [/tag: climber/g, 'kind: climber']
    ],
    log: fits,
    retry: old.replace('tag', 'kind'),
    status: 400,
    change: [
      '({ tag, ...plant }) => (tag === undefined ? plant : { kind: tag, ...plant })',
      'changed 1,500 of 3,000 plants'
    ]
  },
  {
    what: 'a required property',
    edits: [
      ['required: [name]', 'required: [name, kind]'],
      [/ +untagged:\n.*\n.*\n/, '']
    ],
    log: misfit('1,500', '0: kind is required'),
    retry: old.replace('tag', 'kind'),
    status: 200,
    change: ["plant => ({ kind: 'unknown', ...plant })", 'changed 1,500 of 3,000 plants']
  },
  {
    what: 'a split',
    edits: [
      [
        '        kind:\n',
        '        species:\n          type: integer\n          format: int64\n        kind:\n'
      ]
    ],
    log: fits,
    retry: '{"id":7,"name":"plant","species":7.0,"kind":"odd"}',
    status: 400,
    change: [
      "({ name, ...plant }) => ({ name: 'plant', species: BigInt(name.slice(6)), ...plant })",
      'changed 3,000 of 3,000 plants'
    ]
  },
  {
    what: 'a property is taken back, and nothing else may be sent',
    edits: [
      ['            notes:\n              type: string\n', ''],
      [
        '      description: A plant to create\n',
        '      description: A plant to create\n      unevaluatedProperties: false\n'
      ]
    ],
    log: fits,
    retry: '{"kind":"o\\u0064d","species":7e0,"name":"plant","id":7.0}',
    status: 200
  }
]

t.test('edits of the contract on one database with 3,000 plants', async (t) => {
  await begin()
  const lines = Array.from(
    { length: count },
    (_, id) => `{"id":${id},"name":"plant ${id}"${id % 2 ? ',"tag":"odd"' : ''}}\n`
  )
  await writeFile(join(copy.folder, 'plants.ndjson'), lines.join(''))
  await succeeds('node scripts/import.ts < plants.ndjson')
  await served([], fits)
  for (const { what, edits, log, retry, status, change } of steps) {
    await edit(edits)
    const { answers, lines } = await served([retry], log)
    if (log === undefined) t.notMatch(lines, /stored plants/, `${what}: the log says nothing`)
    else t.match(lines, log, `${what}: the log says what becomes of stored plants`)
    t.equal(answers[0]?.status, status, `${what}: a retry of ${retry}`)
    const isFit = log === undefined || log === fits
    const { refused, misfits } = await stored()
    t.equal(refused === undefined, isFit, `${what}: the export is imported where it fits: ${refused}`)
    t.equal(misfits === 0, isFit, `${what}: the check finds what the log says`)
    if (change === undefined) continue
    await writeFile(join(copy.folder, 'changes/change.mjs'), `export default ${change[0]}\n`)
    t.match(await succeeds('node scripts/store-change.ts changes/change.mjs'), change[1], what)
    t.same(await stored(), { misfits: 0 }, `${what}: now they fit`)
  }
  const exported = await copy.read('all.ndjson')
  t.equal(exported.split('\n').length - 1, count, 'no plant is lost')
  t.match(exported, '\n{"id":7,"name":"plant","kind":"odd","species":7}\n')
})
