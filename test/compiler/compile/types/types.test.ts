/** generated/types.ts: the types of openapi-typescript, those of the engine, and the names of operations. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { operationTypeNames } from '../../../../src/compiler/compile/types/handler-types.ts'
import { dependsOnEngine, importedTypes, sharedTypes } from '../../../../src/compiler/compile/types/types.ts'
import { compileContract } from '../../../../src/compiler/compiler.ts'

async function typesOf(document: object): Promise<string> {
  const whole = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, ...document }
  const folder = t.testdir({ 'openapi.json': JSON.stringify(whole) })
  const { files } = await compileContract(`${folder}/openapi.json`, `${folder}/out`)
  return String(files.get('types.ts')).replaceAll(/\s+/g, ' ')
}

const version = '7.13.0'

t.test(
  'one file imports modules of openapi-typescript, and is written for the installed version',
  async (t) => {
    const manifest = readFileSync(
      fileURLToPath(import.meta.resolve('openapi-typescript')).replace(/dist.index\.mjs$/, 'package.json'),
      'utf8'
    )
    const advice = `compare its entry function, transform/index and the percent signs of lib/utils with ${version}`
    t.match(JSON.parse(manifest), { name: 'openapi-typescript', version }, advice)
    const cwd = new URL('../../../../src/', import.meta.url).pathname
    const importing = globSync('**/*.ts', { cwd, exclude: ['**/node_modules/**'] }).filter((file) =>
      /'openapi-typescript\/.*'$/m.test(readFileSync(cwd + file, 'utf8'))
    )
    t.strictSame(importing, ['compiler/compile/types/transform.ts'])
  }
)

t.test('names and texts with percent signs', async (t) => {
  const inner = { type: 'object', properties: { '1%': { $ref: '#/components/schemas/50%25' } } }
  const schemas = {
    'percent-sign': { description: '100% of percent-sign-', enum: ['5%', 'percent-sign'] },
    '50%': { type: 'object', required: ['%zz'], properties: { '%zz': inner } }
  }
  const types = await typesOf({ components: { schemas } })
  t.match(types, '"percent-sign": "5%" | "percent-sign";')
  t.match(types, '100% of percent-sign-')
  t.match(types, '"50%": { "%zz": { "1%"?: components["schemas"]["50%"];')
})

t.test('an edit of a component concerns what refers to it', async (t) => {
  const operation = {
    operationId: 'post',
    parameters: [{ $ref: '#/components/parameters/P' }],
    requestBody: { $ref: '#/components/requestBodies/B' },
    responses: { 204: { description: 'Done' } }
  }
  for (const [required, place] of [
    [true, 'query'],
    [false, 'header']
  ] as const) {
    const types = await typesOf({
      paths: { '/a': { post: operation } },
      components: {
        parameters: { P: { name: 'p', in: place, schema: { type: 'string' } } },
        requestBodies: { B: { required, content: { 'application/json': { schema: {} } } } }
      }
    })
    t.match(types, `${place}?: { p?: components["parameters"]["P"]; }`)
    t.match(types, `requestBody${required ? '' : '?'}: components["requestBodies"]["B"];`)
  }
})

/** Texts of types, what they import of the engine, and which declarations that needs. */
const shared: readonly (readonly [text: string, imported: string, copied: string])[] = [
  ['components["schemas"]["NoneOfThem"] | Pet', '', ''],
  ["'*/*': Bytes; 'text/*': None", 'None, Bytes', 'None, Bytes'],
  ['SecurityContext', 'SecurityContext', 'LogFunction, Logger, SecurityContext'],
  ['ToUrl | OnExchange', 'ToUrl, OnExchange', 'AnsweredExchange, ToUrl, OnExchange'],
  ['SentForm<Body>', 'SentForm', 'FilePart, SentBytes, SentFile, SentField, SentForm']
]

t.test('the types of the engine that are imported or copied are those that are named', async (t) => {
  const from = "from '@contract-first/engine/contract-types';\n"
  for (const [text, imported, copied] of shared) {
    const imports = imported === '' ? '' : `import type { ${imported} } ${from}export type { ${imported} };\n`
    t.equal(importedTypes(text), `${imports}export type * ${from}`)
    const names = [...sharedTypes(text).matchAll(/^export (?:interface|type) (\w+)/gm)].map(
      ([, name]) => name
    )
    t.equal(names.join(', '), copied)
  }
  const types = sharedTypes('RequestContext')
  t.match(types, /^\/\*\* Members of every request .*\*\/\nexport interface RequestContext<Principal> \{\n/)
  t.match(types, '    /** Id of the request, which is in its log lines. */\n    readonly id: string;\n')
})

t.test('a folder depends on the engine if a package.json at or above it names it', async (t) => {
  const named = JSON.stringify({ dependencies: { '@contract-first/engine': '1.0.0' } })
  const folder = t.testdir({ a: { 'package.json': named, b: { 'package.json': '{}' } } })
  t.ok(dependsOnEngine(join(folder, 'a/b/generated')))
  t.ok(dependsOnEngine(join(folder, 'a')))
  t.notOk(dependsOnEngine('/'))
})

t.test('names of operations are identifiers in Pascal case, and each is another one', async (t) => {
  const ids =
    'createPlant create-plant create.plant get_plant_v2 repos/list-for-org élagage 植物 a\u{32cd3}b 2fa __proto__ constructor'
  t.equal(
    operationTypeNames([...ids.split(' '), '']).join(' '),
    'CreatePlant CreatePlant2 CreatePlant3 Get_plant_v2 ReposListForOrg Élagage 植物 AB Operation2fa __proto__ Constructor Operation'
  )
})
