/** Text of a contract never becomes code: neither in generated files nor in those of a new project. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
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

/** Escapes a text for a pattern of ECMA-262 in Unicode mode. */
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Makes a contract with a hostile text at each of its places. `n` keeps names apart. */
function contractOf(text: (place: string) => string): object {
  // The compiler refuses control characters in names.
  const name = (place: string) => text(place).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
  const schema = {
    title: text('schema title'),
    description: text('schema description'),
    type: 'object',
    required: [text('property')],
    properties: {
      [text('property')]: {
        description: text('property description'),
        enum: [text('enum'), text('second enum')],
        default: text('default')
      },
      pattern: {
        type: 'string',
        pattern: `^(?:${escaped(text('pattern'))})?$`,
        examples: [text('example')]
      },
      const: { const: text('const'), 'x-extension': text('extension'), $comment: text('comment') },
      either: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }],
        discriminator: {
          propertyName: text('discriminator'),
          mapping: { [text('mapping')]: '#/components/schemas/Cat' }
        }
      }
    },
    patternProperties: { [escaped(text('pattern property'))]: { type: 'string' } },
    dependentRequired: { [text('dependent')]: [text('required')] },
    additionalProperties: { const: text('additional') }
  }
  const content = {
    'application/json': { schema, example: { [text('property')]: text('enum') } },
    [`application/${name('media type')}+json`]: { schema }
  }
  const named = (name: string) => ({ name, schema: { type: 'string', default: text('parameter default') } })
  return {
    openapi: '3.1.0',
    info: { title: text('title'), version: text('version'), description: text('info description') },
    servers: [{ url: `https://example.org/${text('server')}`, description: text('server description') }],
    tags: [{ name: name('tag'), description: text('tag description') }],
    paths: {
      [`/${name('path').replaceAll(/[{}?#]/g, '')}/{id}`]: {
        summary: text('path summary'),
        post: {
          operationId: `id ${name('operation id')}`,
          summary: text('summary'),
          description: text('description'),
          tags: [name('tag')],
          security: [{ [name('scheme')]: [text('scope')] }],
          parameters: [
            { ...named('id'), in: 'path', required: true },
            { ...named(name('query')), in: 'query', description: text('parameter description') },
            { ...named('cookie'), in: 'cookie' },
            { ...named('x-header'), in: 'header', deprecated: true }
          ],
          requestBody: { content, description: text('body description') },
          responses: {
            200: {
              description: text('response'),
              content,
              headers: { 'x-a': { schema: { const: text('header') } } }
            },
            default: {
              description: text('error'),
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: [text('error property')],
                    properties: { [text('error property')]: { enum: [text('code')] } }
                  }
                }
              }
            }
          },
          'x-code': text('operation extension')
        }
      }
    },
    components: {
      schemas: { Cat: { type: 'object', properties: { a: { const: text('cat') } } } },
      securitySchemes: {
        [name('scheme')]: {
          type: 'apiKey',
          in: 'query',
          name: name('key'),
          description: text('scheme description')
        },
        basic: { type: 'http', scheme: text('http scheme') }
      }
    }
  }
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
