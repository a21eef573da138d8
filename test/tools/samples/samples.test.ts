/**
 * Makes instances of schemas and checks them with the compiled validators: all are valid, whatever the schema combines.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { stringify } from '../../../src/engine/json/exact-values.ts'
import {
  type Direction,
  exactDocument,
  instancesOf,
  type Json,
  type JsonObject,
  plainInstance
} from '../../../src/tools/samples/samples.ts'
import { anyCharacter } from '../../../src/tools/samples/text-instances.ts'
import { type Case, components, schemas } from './schemas.ts'

t.setTimeout(900_000)
const seeds = [1, 2, 3]

for (const version of ['3.0.3', '3.1.0']) {
  t.test(`OpenAPI ${version}`, async (t) => {
    const cases = schemas.filter((each) => isCase(each, version))
    const { document, schemaOf, validator } = await compileBodies(t, version, cases)
    for (const each of cases)
      for (const direction of directionsOf(each))
        check(t, {
          ...each,
          direction,
          document,
          schema: schemaOf(each),
          validator: validator(each, direction)
        })
  })
}

/** Compiled schemas as the bodies of operations, all of one contract. */
interface Bodies {
  readonly document: JsonObject
  /** Returns the schema of a case as the compiler reads it. */
  readonly schemaOf: (of: Case) => Json
  readonly validator: (of: Case, direction: Direction) => (value: unknown) => boolean
}

async function compileBodies(t: Test, openapi: string, cases: readonly Case[]): Promise<Bodies> {
  const folder = await mkdtemp(join(tmpdir(), 'instances-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const paths = Object.fromEntries(
    cases.map(({ schema }, index) => [`/${index}`, { post: operation(schema, index) }])
  )
  const path = join(folder, 'openapi.json')
  await writeFile(
    path,
    stringify({ openapi, info: { title: 'x', version: '1' }, paths, components: { schemas: components } })
  )
  const { contract, document } = await compileInMemory(path)
  const { validators } = await contract.load()
  return {
    document,
    schemaOf: (each) => ({
      $ref: `#/paths/~1${cases.indexOf(each)}/post/requestBody/content/application~1json/schema`
    }),
    validator(each, direction) {
      const { requestBody, responses } = contract.operations[cases.indexOf(each)] ?? {}
      const [content] = (direction === 'request' ? requestBody : responses?.['200'])?.content ?? []
      return (value) => validators[String(content?.validate)]?.call(undefined, value) === true
    }
  }
}

function operation(schema: unknown, index: number): object {
  const content = { 'application/json': { schema } }
  return {
    operationId: `op${index}`,
    requestBody: { required: true, content },
    responses: { 200: { description: 'ok', content } }
  }
}

/** Selects cases: those that are the same in all versions run in the last one; a few run in the others, too. */
function isCase({ version, directions }: Case, openapi: string): boolean {
  return (version ?? (directions === undefined ? '3.1.0' : openapi)) === openapi
}

const directionsOf = ({ directions = ['response'] }: Case): readonly Direction[] => directions

interface Judged extends Case {
  readonly direction: Direction
  readonly document: ReturnType<typeof exactDocument>
  readonly validator: (value: unknown) => boolean
}

function check(
  t: Test,
  { name, schema, direction, document, validator, plain, is, isImpossible }: Judged
): void {
  const label = `${name} (${direction})`
  const options = { document, direction }
  const wide = instancesOf(schema as Json, options)
  const found = seeds.map((seed) => plainInstance(schema as Json, { ...options, seed }))
  if (isImpossible) {
    t.equal(wide, undefined, `${label}: none`)
    t.strictSame(found, [undefined, undefined, undefined], `${label}: no plain one`)
    return
  }
  t.ok(wide, label)
  const some = wide === undefined ? [] : fc.sample(wide, { seed: 1, numRuns: 30 })
  for (const value of [...some, ...found]) if (!validator(value)) t.fail(label, { value })
  for (const value of found) {
    t.match(value, plain ?? value, `${label}: plain`)
    if (is !== undefined) t.ok(is(value as never), `${label}: plain`, { value })
  }
  t.same(plainInstance(schema as Json, { ...options, seed: 2 }), found[1], `${label}: by seed`)
}

t.test('the document that a contract gives out is read exactly', async (t) => {
  t.same(exactDocument('{"a":9007199254740993,"b":[1.5,1e30]}'), {
    a: 9_007_199_254_740_993n,
    b: [1.5, 1e30]
  })
})

t.test('any character is one of Unicode, and texts are split into such', async (t) => {
  const characters = fc.sample(anyCharacter, { seed: 1, numRuns: 200 })
  t.notOk(characters.some((character) => [...character].length !== 1 || !character.isWellFormed()))
  t.ok(characters.some((character) => Number(character.codePointAt(0)) > 0xffff))
  const isOne = (text: string) => anyCharacter.canShrinkWithoutContext(text)
  t.strictSame(['a', '\ud7ff', '\ue000', '\u{10ffff}', '', 'ab', '😀😀'].map(isOne), [
    ...[true, true, true, true],
    ...[false, false, false]
  ])
})

t.test('instances of a union with a defaultMapping may lack its property', async (t) => {
  const object = (name: string) => ({ type: 'object', properties: { kind: {}, [name]: { const: name } } })
  const document = { components: { schemas: { A: object('a'), B: object('b') } } }
  const oneOf = ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  for (const [defaultMapping, isFound] of [
    ['B', true],
    [undefined, false]
  ] as const) {
    const discriminator = { propertyName: 'kind', ...(defaultMapping && { defaultMapping }) }
    const made = instancesOf({ oneOf, discriminator }, { document, direction: 'request' })
    const found = made === undefined ? [] : fc.sample(made, { seed: 1, numRuns: 100 })
    t.equal(
      found.some((value) => typeof value === 'object' && value !== null && !('kind' in value)),
      isFound,
      String(defaultMapping)
    )
  }
})
