/** Stored plants through twelve edits of the contract, on one database, and the edits that would silently lose data. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { sleep } from '../time.ts'
import { endGroup, ProjectCopy } from './project-copy.ts'
import type { StoredPlants } from './stored-plants.ts'

t.setTimeout(900_000)

const only = await ProjectCopy.make(t, { checked: ['src/plants'] })

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Program that prints the stored plants after an edit. */
const outcome = 'test/e2e/stored-plants.ts'

/** A copy of the project with a database, whose server is restarted after each edit of the contract. */
class Evolution {
  readonly copy: ProjectCopy

  constructor(copy: ProjectCopy) {
    this.copy = copy
  }

  static async begin(): Promise<Evolution> {
    await only.reset()
    await mkdir(join(only.folder, 'changes'))
    await mkdir(dirname(join(only.folder, outcome)), { recursive: true })
    await copyFile(outcome, join(only.folder, outcome))
    return new Evolution(only)
  }

  async edit(...edits: readonly (readonly [before: string | RegExp, after: string])[]): Promise<void> {
    for (const [before, after] of edits)
      await this.copy.edit('openapi.yaml', (text) => text.replace(before, () => after))
    const { code, output } = await this.copy.generate()
    if (code !== 0) throw new Error(output)
  }

  async succeeds(line: string): Promise<string> {
    const { code, output } = await this.copy.run(line)
    if (code !== 0) throw new Error(`${line}: ${output}`)
    return output
  }

  async stored(): Promise<StoredPlants> {
    return JSON.parse(await this.succeeds(`node ${outcome}`))
  }

  async change(body: string): Promise<string> {
    await writeFile(join(this.copy.folder, 'changes/change.mjs'), `export default ${body}\n`)
    return this.succeeds('node scripts/store-change.ts changes/change.mjs')
  }

  /** Starts the server, creates the plants, waits for the log to match, and stops it. */
  async served(
    bodies: readonly string[],
    log: RegExp | undefined
  ): Promise<{ answers: Answer[]; lines: string }> {
    const { child, output } = await this.copy.start(
      'exec node src/main.ts',
      /"url":"?|listening at (http\S+?)"/,
      {
        AUTH_TOKENS: 'secret'
      }
    )
    let lines = output
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (lines += data))
    const url = /listening at (http[^\s"]+)/.exec(lines)?.[1] ?? ''
    const answers: Answer[] = []
    for (const body of bodies) answers.push(await create(url, body))
    for (let left = 600; log !== undefined && !log.test(lines) && left > 0; left--) await sleep(50)
    endGroup(child)
    if (child.exitCode === null) await new Promise((done) => child.once('close', done))
    return { answers, lines }
  }
}

async function create(url: string, body: string): Promise<Answer> {
  const answer = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const onlyInNewPlant = [
  '              examples: [42]\n',
  '              examples: [42]\n            notes:\n              type: string\n'
] as const

t.test(
  'a property that only the request declares is stored, and decides whether plants are the same',
  async (t) => {
    const evolution = await Evolution.begin()
    await evolution.edit(onlyInNewPlant)
    const { answers } = await evolution.served(
      ['keep me', 'keep me', 'other'].map((notes) => JSON.stringify({ id: 1, name: 'a', notes })),
      undefined
    )
    t.same(answers, [
      { status: 200, body: { name: 'a' } },
      { status: 200, body: { name: 'a' } },
      { status: 400, body: { error: 4002, message: 'id 1 is taken by a different plant' } }
    ])
    t.equal(await evolution.succeeds('node scripts/export.ts'), '{"id":1,"name":"a","notes":"keep me"}\n')
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
    const evolution = await Evolution.begin()
    await evolution.copy.edit('openapi.yaml', (text) => text.replace(before, after))
    await evolution.copy.generate()
    t.match(await evolution.copy.checkTypes(), /src\/plants\/plant\.ts\(\d+,\d+\): error TS/)
    const { code, output } = await evolution.copy.run('node src/main.ts')
    t.match({ code, output }, { code: 1, output: sentence })
  })
}

interface Step {
  readonly what: string
  readonly edits: readonly (readonly [before: string | RegExp, after: string])[]
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
const renamed = '{"id":7,"name":"plant 7","kind":"odd"}'
const split = '{"id":7,"name":"plant","species":"7","kind":"odd"}'
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
    what: 'a bound that all plants keep',
    edits: [
      ['          description: Its name\n', '          description: Its name\n          maxLength: 100\n']
    ],
    log: fits,
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
    retry: renamed,
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
    retry: renamed,
    status: 200,
    change: ["plant => ({ kind: 'unknown', ...plant })", 'changed 1,500 of 3,000 plants']
  },
  {
    what: 'a split',
    edits: [['        kind:\n', '        species:\n          type: string\n        kind:\n']],
    log: fits,
    retry: split,
    status: 400,
    change: [
      "({ name, ...plant }) => ({ name: 'plant', species: name.slice(6), ...plant })",
      'changed 3,000 of 3,000 plants'
    ]
  },
  {
    what: 'another type',
    edits: [
      [
        '        species:\n          type: string\n',
        '        species:\n          type: integer\n          format: int64\n'
      ]
    ],
    log: misfit('3,000', '0: species must be integer'),
    retry: '{"id":7,"name":"plant","species":7.0,"kind":"odd"}',
    status: 400,
    change: ['plant => ({ ...plant, species: BigInt(plant.species) })', 'changed 3,000 of 3,000 plants']
  },
  {
    what: 'an enumeration',
    edits: [
      [
        '          examples: [climber]\n',
        '          examples: [odd]\n          enum: [odd, unknown, climber]\n'
      ]
    ],
    log: fits,
    retry: '{"kind":"o\\u0064d","species":7,"name":"plant","id":7.0}',
    status: 200
  },
  {
    what: 'a property is taken back',
    edits: [['            notes:\n              type: string\n', '']],
    log: fits,
    retry: '{"id":7,"name":"plant","species":7e0,"kind":"odd"}',
    status: 200
  },
  {
    what: 'nothing else may be sent',
    edits: [
      [
        '      description: A plant to create\n',
        '      description: A plant to create\n      unevaluatedProperties: false\n'
      ]
    ],
    log: fits,
    retry: '{"id":7,"name":"plant","species":7,"kind":"odd"}',
    status: 200
  }
]

t.test('twelve edits of the contract on one database with 3,000 plants', async (t) => {
  const evolution = await Evolution.begin()
  const lines = Array.from(
    { length: count },
    (_, id) => `{"id":${id},"name":"plant ${id}"${id % 2 ? ',"tag":"odd"' : ''}}\n`
  )
  await writeFile(join(evolution.copy.folder, 'plants.ndjson'), lines.join(''))
  await evolution.succeeds('node scripts/import.ts < plants.ndjson')
  await evolution.served([], fits)
  t.equal(steps.length, 12)
  for (const { what, edits, log, retry, status, change } of steps) {
    await evolution.edit(...edits)
    const { answers, lines } = await evolution.served([retry], log)
    if (log === undefined) t.notMatch(lines, /stored plants/, `${what}: the log says nothing`)
    else t.match(lines, log, `${what}: the log says what becomes of stored plants`)
    t.equal(answers[0]?.status, status, `${what}: a retry of ${retry}`)
    const isFit = log === undefined || log === fits
    const { refused, misfits } = await evolution.stored()
    t.equal(refused === undefined, isFit, `${what}: the export is imported where it fits: ${refused}`)
    t.equal(misfits === 0, isFit, `${what}: the check finds what the log says`)
    if (change === undefined) continue
    t.match(await evolution.change(change[0]), change[1], what)
    t.same(await evolution.stored(), { misfits: 0 }, `${what}: now they fit`)
  }
  const exported = await evolution.copy.read('all.ndjson')
  t.equal(exported.split('\n').length - 1, count, 'no plant is lost')
  t.match(exported, '\n{"id":7,"name":"plant","kind":"odd","species":7}\n')
})
