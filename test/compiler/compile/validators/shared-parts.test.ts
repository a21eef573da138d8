/** Large parts that stand several times become definitions; what the schemas accept stays the same. */
import { test } from 'tap'
import { DefinitionCompiler } from '../../../../src/compiler/compile/validators/ajv/definition-compiler.ts'
import type { Schema } from '../../../../src/compiler/compile/validators/ajv/keywords.ts'
import { withSharedParts } from '../../../../src/compiler/compile/validators/shared-parts.ts'

/** A part of a given number of properties, each with one keyword. */
const part = (properties: number, more: object = {}) => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: properties }, (_, at) => [`p${at}`, { type: 'string' }])
  ),
  ...more
})
const large = () => part(40)
const compiler = (definitions: Readonly<Record<string, Schema>>) =>
  new DefinitionCompiler(definitions, {
    prefix: 'request',
    allErrors: true,
    unevaluated: false,
    memoised: new Set()
  })

test('equal parts of members become one definition, whose own parts are shared, too', async (t) => {
  const outer = () => part(40, { items: large(), additionalProperties: large() })
  const schemas = {
    A: { properties: { a: outer(), b: part(3), c: true }, items: outer() },
    B: { allOf: [{ properties: { a: part(3) } }, { prefixItems: [outer(), part(3)] }], minimum: 1 }
  }
  const shared = withSharedParts(schemas)
  const added = Object.keys(shared).filter((name) => !Object.hasOwn(schemas, name))
  t.equal(added.length, 2)
  t.strictSame(Object.keys(shared).slice(0, 2), ['A', 'B'])
  const [first, second] = added as [string, string]
  const refs = [first, second].map((name) => ({ $ref: `#/$defs/${name}` }))
  const [outerRef, innerRef] = shared[first] && 'items' in Object(shared[first]) ? refs : refs.toReversed()
  t.strictSame(shared['A'], { properties: { a: outerRef, b: part(3), c: true }, items: outerRef })
  t.strictSame(shared['B'], {
    allOf: [{ properties: { a: part(3) } }, { prefixItems: [outerRef, part(3)] }],
    minimum: 1
  })
  const definition = shared[String(outerRef?.$ref).slice('#/$defs/'.length)]
  t.strictSame(definition, part(40, { items: innerRef, additionalProperties: innerRef }))
})

test('a part that equals a definition refers to it, and names do not collide', async (t) => {
  const schemas = { Large: large(), A: { items: large(), contains: large(), not: { items: large() } } }
  t.strictSame(withSharedParts(schemas), {
    Large: large(),
    A: { items: { $ref: '#/$defs/Large' }, contains: large(), not: { items: large() } }
  })
  const twice: Schema = { items: large(), prefixItems: [large()] }
  const nameIn = (definitions: Record<string, Schema>) => Object.keys(definitions).at(-1) as string
  const name = nameIn(withSharedParts({ A: twice }))
  const shared = withSharedParts({ [name]: true, A: twice })
  t.equal(nameIn(shared), `${name}_`)
  t.match(shared['A'], { items: { $ref: `#/$defs/${name}_` } })
})

test('a part that stands once, a small one, and what is no schema stay as they are', async (t) => {
  const schemas = {
    A: { items: large() },
    B: { properties: { a: part(3), b: part(3) } },
    C: { allOf: 1, properties: [], items: 'no schema' },
    D: false
  } as never
  t.strictSame(withSharedParts(schemas), schemas)
})

test('validators with shared parts find the same errors', async (t) => {
  const schemas = {
    A: {
      properties: { ['__proto__']: large(), a: { anyOf: [{ items: large() }, { type: 'null' }] }, b: large() }
    }
  }
  const shared = withSharedParts(schemas)
  t.not(Object.keys(shared).length, 1)
  const [before, after] = [compiler(schemas).validator('A'), compiler(shared).validator('A')]
  const bad = { p1: 1, p39: null }
  const values = [
    { a: [bad] },
    { a: [{ p1: 'x' }] },
    { b: bad },
    { b: [], a: null },
    JSON.parse('{"__proto__":{"p1":1}}')
  ]
  for (const value of values) {
    t.equal(after(value), before(value))
    t.strictSame(after.errors, before.errors)
  }
})
