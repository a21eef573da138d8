/** Text of a contract never becomes code: neither in generated files nor in those of a new project. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { load } from 'js-yaml'
import t from 'tap'
import ts from 'typescript'
import { stubsFor } from '../../../src/compiler/command/generate/handler-stub.ts'
import { compileContract, compileInMemory } from '../../../src/compiler/compiler.ts'
import { projectFiles } from '../../../src/tools/new/command/files.ts'
import { contractFiles, planProject } from '../../../src/tools/new/command/plan.ts'
import { scaffoldOf } from '../../../src/tools/new/scaffold.ts'

t.setTimeout(900_000)

/** Identifier that no harmless file has. */
const marker = 'pwned'
const attacks = [
  `*/ [(${marker}())]: 0, /*`,
  `\n${marker}()\n//`,
  `\r${marker}();`,
  `\u2028${marker}()\u2029`,
  `\u0085${marker}()`,
  `'+${marker}()+'`,
  `"+${marker}()+"`,
  `\`+${marker}()+\``,
  `\${${marker}()}`,
  `\\'+${marker}()//`,
  `\\`,
  `</script><script>${marker}()</script>`,
  `/${marker}(),/`,
  `]}${marker}(){[`,
  '\u202e',
  '__proto__',
  'constructor'
]

/** A contract with a word at each of its places; `N:` stands before names, `P:` before patterns. */
const template = `
openapi: 3.1.0
info: { title: T:title, version: T:version, description: T:info }
servers: [{ url: 'https://example.org/T:server', description: T:server description }]
tags: [{ name: N:tag, description: T:tag }]
paths:
  /N:path/{id}:
    summary: T:path summary
    post:
      operationId: id N:operation
      summary: T:summary
      description: T:description
      tags: [N:tag]
      security: [{ N:scheme: [T:scope] }]
      parameters:
        - { name: id, in: path, required: true, schema: &text { type: string, default: T:parameter default } }
        - { name: N:query, in: query, description: T:parameter, schema: *text }
        - { name: N:cookie, in: cookie, schema: *text }
        - { name: N:x-header, in: header, deprecated: true, schema: *text }
      requestBody: { description: T:body, content: &content { application/json: { schema: &schema { $ref: '#/components/schemas/All' }, example: { T:property: T:enum } }, application/N:media+json: { schema: *schema } } }
      responses:
        '200': { description: T:response, content: *content, headers: { x-a: { schema: { const: T:header } } } }
        default:
          description: T:error
          content: { application/json: { schema: { type: object, required: [T:error property], properties: { T:error property: { enum: [T:code] } } } } }
      x-code: T:operation extension
components:
  schemas:
    Cat: { type: object, properties: { a: { const: T:cat } } }
    All:
      title: T:schema
      description: T:schema description
      type: object
      required: [T:property]
      properties:
        T:property: { description: T:property description, enum: [T:enum, T:second enum], default: T:default }
        pattern: { type: string, pattern: '^(?:P:pattern)?$', examples: [T:example] }
        const: { const: T:const, x-extension: T:extension, $comment: T:comment }
        either: { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: T:discriminator, mapping: { T:mapping: '#/components/schemas/Cat' } } }
      patternProperties: { P:pattern property: { type: string } }
      dependentRequired: { T:dependent: [T:required] }
      additionalProperties: { const: T:additional }
  securitySchemes:
    N:scheme: { type: apiKey, in: query, name: N:key, description: T:scheme description }
    basic: { type: http, scheme: T:http }
`

/** Makes a contract with a hostile text before the word at each of its places. */
function contractOf(text: (place: string) => string): object {
  const write = (word: string): string =>
    word.replace(/([TNP]):([\w -]+)/, (_, kind, place) => {
      if (kind === 'P') return text(place).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      if (kind === 'T') return text(place)
      // The compiler refuses control characters in names.
      const name = text(place).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      return place === 'path' ? name.replaceAll(/[{}?#]/g, '') : name
    })
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') return write(value)
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [write(key), filled(each)]))
  }
  return filled(load(template)) as object
}

/** Returns the syntax errors of a file, and the identifiers that a text of the contract has become. */
function problemsOf(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const found: string[] = Reflect.get(file, 'parseDiagnostics').map(({ messageText }: ts.Diagnostic) =>
    String(messageText)
  )
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === marker) found.push(`${node.parent.getText().slice(0, 80)}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const isCode = (name: string) => /\.[jt]s$/.test(name)
let serial = 0

async function filesOf(root: string, name: string, document: object): Promise<(readonly [string, string])[]> {
  const folder = join(root, `case${serial++}`)
  mkdirSync(folder)
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(document))
  const compiled = await compileInMemory(path)
  const scaffold = await scaffoldOf(compiled)
  const [{ to }] = contractFiles(compiled)
  const plan = planProject(compiled, scaffold, { folder: 'made', contract: `contract/${name}`, isMock: true })
  t.match(to, /^openapi\.(json|ya?ml)$/)
  const stubs = stubsFor(plan.handlers, {
    taken: { identifiers: [], files: [] },
    passed: undefined,
    isFlat: true
  })
  return [
    ...(await compileContract(path, join(folder, 'generated'))).files,
    ...projectFiles(plan).map(([to, text]) => [to, String(text)] as const),
    ...stubs.map(({ file, text, property }) => [`stub ${file}`, `${text}\n;({ ${property} })`] as const)
  ].filter(([file]) => isCode(file))
}

/** File names may have every character but these two. */
const nameOf = (text: string) => `${text.replaceAll(/[/\0]/g, '_').toWellFormed().slice(0, 60)}.yaml`

t.test('each attack at every place', async (t) => {
  const root = t.testdir({})
  for (const [index, attack] of attacks.entries()) {
    const document = contractOf((place) => `${attack}${place}`)
    for (const [name, text] of await filesOf(root, nameOf(attack), document))
      t.strictSame(problemsOf(name, text), [], `attack ${index} in ${name}`)
  }
})

t.test('any text at every place', async (t) => {
  const root = t.testdir({})
  const seed = Math.trunc(Math.random() * 2 ** 31)
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 4
    })
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 5, maxLength: 5 }), async (texts) => {
      const document = contractOf((place) => `${texts[place.length % texts.length]}${place}`)
      const files = await filesOf(root, nameOf(String(texts[0])), document)
      for (const [name, text] of files) t.strictSame(problemsOf(name, text), [], `${name}, seed ${seed}`)
    }),
    { numRuns: 10, endOnFailure: true, seed }
  )
})
