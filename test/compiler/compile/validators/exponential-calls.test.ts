/** A value does not call a definition exponentially often, neither in memory nor in generated code. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../../src/compiler/compile/compile.ts'
import { compileInMemory } from '../../../../src/compiler/compile/in-memory.ts'
import type { Validator } from '../../../../src/engine/model/compiled-contract.ts'

t.setTimeout(900_000)

const lasts = {
  objects: ['{ type: object, required: [a] }', { a: 1 }, {}],
  texts: ['{ type: string, minLength: 1 }', 'a', ''],
  numbers: ['{ type: number, minimum: 1 }', 1, 0]
} as const

const holds: Readonly<Record<string, (next: string) => string>> = {
  allOf: (next) => `{ allOf: [${next}, ${next}] }`,
  anyOf: (next) => `{ anyOf: [{ not: ${next} }, ${next}] }`,
  oneOf: (next) => `{ oneOf: [${next}, ${next}] }`,
  if: (next) => `{ if: ${next}, then: ${next} }`
}

/** Each keyword, and each kind of value at the end, once or more: a case compiles two contracts. */
const cases = [
  ['allOf', 'objects'],
  ['anyOf', 'texts'],
  ['oneOf', 'numbers'],
  ['if', 'objects'],
  ['anyOf', 'numbers'],
  ['oneOf', 'texts']
] as const

const next = (level: number) => `{ $ref: '#/components/schemas/S${level}' }`

/** Returns a contract whose schemas S0 to S27 each hold the next one twice. */
function contractOf(body: string, hold: (next: string) => string, last: string): string {
  const schemas = Array.from({ length: 28 }, (_, level) => `    S${level}: ${hold(next(level + 1))}\n`)
  return `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    post:
      requestBody: { content: { application/json: { schema: ${body} } } }
      responses: { '200': { description: OK } }
components:
  schemas:
${schemas.join('')}    S28: ${last}
`
}

for (const [what, ends] of cases) {
  const [last, fitting, other] = lasts[ends]
  const hold = holds[what] as (next: string) => string
  t.test(`28 levels of ${what} of ${ends} are decided`, async (t) => {
    const folder = t.testdir({ 'openapi.yaml': contractOf(next(0), hold, last) })
    const { contract } = await compileInMemory(`${folder}/openapi.yaml`)
    const { validators } = await contract.load()
    const { files } = await compileContract(`${folder}/openapi.yaml`, `${folder}/out`)
    const code = join(folder, 'validators.mjs')
    await writeFile(code, String(files.get('validators.js')))
    const written: Record<string, unknown> = await import(code)
    const isValidator = (each: unknown) => typeof each === 'function'
    for (const each of [validators, written]) {
      const validate = Object.values(each).find(isValidator) as Validator | undefined
      t.equal(validate?.call(new Map(), fitting), what !== 'oneOf')
      t.equal(validate?.call(new Map(), other), what === 'anyOf' || what === 'if')
    }
    t.match(files.get('validators.js'), 'recall(')
  })
}

for (const what of ['allOf', 'anyOf', 'oneOf'])
  t.test(`28 levels of ${what} below a discriminator are read`, async (t) => {
    const union = `{ discriminator: { propertyName: kind }, oneOf: [${next(0)}, ${next(28)}] }`
    const hold = holds[what] as (next: string) => string
    const folder = t.testdir({ 'openapi.yaml': contractOf(union, hold, lasts.objects[0]) })
    const { contract } = await compileInMemory(`${folder}/openapi.yaml`)
    const [validate] = Object.values((await contract.load()).validators)
    const accepts = (value: object) => validate?.call(new Map(), value)
    t.strictSame(
      [{ kind: 'S28', a: 1 }, { kind: 'S28' }, { kind: 'S0', a: 1 }, { kind: 'S0' }].map(accepts),
      [true, false, what !== 'oneOf', what === 'anyOf']
    )
  })
