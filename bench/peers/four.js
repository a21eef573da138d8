/** `npm run bench:peers -- four`: one contract of four operations, served by programs of four tools. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toOutput } from '@contract-first/cli/command'
import { packagesVersion, packPackages } from '@contract-first/compiler/command/new/pack'
import { ask, edits, requests } from './four/cases.js'
import { cpuOf, followed } from './four/figures.js'
import { Program } from './four/program.js'
import { bare, toolsOf } from './four/tools.js'

/** @param isQuick leaves out the other tools and the figures */
export async function askFour(isQuick) {
  const folder = mkdtempSync(join(tmpdir(), 'four-'))
  try {
    const packed = join(folder, 'packages')
    await packPackages(packed)
    const all = toolsOf((name) => join(packed, `contract-first-${name}-${packagesVersion()}.tgz`))
    await compare(folder, isQuick ? { here: all.here } : all, isQuick)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(folder, tools, isQuick) {
  const programs = new Map()
  for (const [name, tool] of Object.entries(tools)) {
    console.error(toOutput('dim', `installs ${name}`))
    programs.set(name, Program.create(join(folder, name), name, tool))
  }
  const rowOf = (cells) => console.log(`| ${cells.join(' | ')} |`)
  const print = async (row, cellOf) => {
    const cells = []
    for (const [name, program] of programs) cells.push(await cellOf(program, tools[name], name))
    rowOf([row, ...cells])
  }
  rowOf(['', ...Object.entries(tools).map(([name, { title = name }]) => title)])
  let copies = 0
  const copyOf = (program) => program.copy(join(folder, `copy-${copies++}`))
  for (const [row, wanted] of Object.entries(edits))
    await print(row, (program, tool) => caught(copyOf(program), tool, wanted))
  for (const [row, answer] of Object.entries(await answersOf(programs))) rowOf([row, ...answer])
  if (isQuick) return
  await print('lines by hand', (program) => program.lines)
  await print('written by the tool', (program) => `${(program.written / 1_000).toFixed(1)} kB`)
  await print(
    'time to the first answer after an edit',
    async (program, tool) => `${(await followed(() => copyOf(program), tool)).toFixed(1)} s`
  )
  const cpus = await cpuOf({
    bare: Program.create(join(folder, 'bare'), 'bare', bare),
    ...Object.fromEntries(programs)
  })
  await print('CPU of a POST, bare Fastify = 1', (_program, _tool, name) => cpus[name].toFixed(2))
  await print('packages in production', (program) => `${Math.round(program.productionSize() / 1e6)} MB`)
}

/** Returns what notices an edit: the type checker, the start, the request, or nothing. */
async function caught(program, tool, { name, edit, isOlder, request }) {
  const own = name in tool.edits ? tool.edits[name] : edit
  if (own === undefined) return '–'
  program.edit(own)
  if (!isOlder) program.generate()
  const compiles = program.compiles()
  const server = await program.start()
  const { status } = server ? await ask(server.origin, request) : { status: 'boot' }
  await server?.stop()
  const atRun = status === 'boot' || status >= 400 ? [status] : compiles ? ['silent'] : []
  return [...(compiles ? [] : ['compile']), ...atRun].join(', ')
}

/** Returns the cells of the requests by their row. */
async function answersOf(programs) {
  const cells = Object.fromEntries(Object.keys(requests).map((row) => [row, []]))
  for (const [name, program] of programs) {
    const server = await program.start()
    if (server === undefined) throw new Error(`${name} does not start`)
    for (const [row, [request, cellOf]] of Object.entries(requests))
      cells[row].push(cellOf(await ask(server.origin, request)))
    await server.stop()
  }
  return cells
}
