/** Random edits of a contract, and what it compiles to after each. A worker of edits.test.ts runs this file, too. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'yaml'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { ContractError } from '../../../src/compiler/compile/diagnostics/problem.ts'
import { Random } from '../../fuzz/random.ts'

type Value = null | boolean | number | string | Value[] | { [name: string]: Value }

/** Keywords that an edit sets; some of them do not fit where they come. */
const settings: readonly (readonly [string, Value])[] = [
  ['description', 'edited'],
  ['type', ['string', 'null']],
  ['type', 'object'],
  ['format', 'int64'],
  ['format', 'date'],
  ['pattern', '^[a-z]+$'],
  ['enum', ['a', 'b']],
  ['minLength', 2],
  ['maximum', 9],
  ['readOnly', true],
  ['writeOnly', true],
  ['additionalProperties', false],
  ['unevaluatedProperties', false],
  ['required', ['added']],
  ['properties', { added: { type: 'string', pattern: '^x' } }],
  ['items', { type: 'integer' }],
  ['not', { type: 'null' }]
]

/** Returns texts of a contract, each an edit of the one before. */
export function editsOf(path: string, count: number, seed: number): string[] {
  const random = new Random(seed)
  const document = parse(readFileSync(path, 'utf8')) as Value
  return Array.from({ length: count }, () => {
    edit(document, random)
    return JSON.stringify(document, null, 2)
  })
}

function edit(document: Value, random: Random): void {
  const schemas = [...objectsIn(document)].filter((node) => 'type' in node || '$ref' in node)
  const schema = schemas[random.below(schemas.length)] ?? {}
  const names = Object.keys(schema)
  if (random.is(1 / 3)) delete schema[String(names[random.below(names.length)])]
  const [keyword, value] = settings[random.below(settings.length)] ?? ['title', 'none']
  schema[keyword] = structuredClone(value)
}

function* objectsIn(value: Value): Generator<{ [name: string]: Value }> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield value
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

/** Returns the files, or the problems, of each text. */
export async function compiled(texts: readonly string[], folder: string): Promise<string[]> {
  const results: string[] = []
  for (const text of texts) {
    writeFileSync(join(folder, 'openapi.json'), text)
    results.push(await resultOf(folder))
  }
  return results
}

async function resultOf(folder: string): Promise<string> {
  try {
    const { files, problems } = await compileContract(join(folder, 'openapi.json'), join(folder, 'out'))
    return JSON.stringify([[...files], problems])
  } catch (error) {
    if (error instanceof ContractError) return JSON.stringify(error.problems)
    throw error
  }
}

if (parentPort !== null) {
  const { texts, folder } = workerData as { texts: readonly string[]; folder: string }
  parentPort.postMessage(await compiled(texts, folder))
}
