/**
 * Makes instances of schemas and checks them with the compiled validators: all are valid, whatever the schema combines.
 */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import {
  type Direction,
  exactDocument,
  instancesOf,
  type Json,
  plainInstance
} from '../../../src/tools/samples/samples.ts'
import { anyCharacter } from '../../../src/tools/samples/text-instances.ts'
import { compileBodies } from './compile-bodies.ts'
import { type Case, schemas } from './schemas.ts'

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
