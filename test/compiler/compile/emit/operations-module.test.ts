/** The route table and the texts of the contract, in JavaScript and in TypeScript. */
import t from 'tap'
import ts from 'typescript'
import {
  documentFile,
  operationsDeclaration,
  operationsFile,
  textInDocument
} from '../../../../src/compiler/compile/emit/operations-module.ts'

const importsOf = (text: string) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)

t.test('the route table imports its neighbours by literals, in its own language', async (t) => {
  for (const language of ['js', 'ts'] as const) {
    const names = ['validators', 'serializers', 'client', 'sender', 'requests', 'document', 'schemas']
    t.strictSame(
      importsOf(operationsFile([], { hasClient: true, schemas: ['Plant'], sent: ['event'], language })),
      names.map((name) => `./${name}.${language}`)
    )
  }
})

t.test('the declarations for the type checker are the same in both', async (t) => {
  for (const schemas of [['Plant'], []]) {
    const has = schemas.length > 0
    const declared = operationsDeclaration({ client: has, schemas: has, sender: has }).split('\n')
    const { outputText } = ts.transpileDeclaration(
      operationsFile([], { hasClient: has, schemas, sent: schemas, language: 'ts' }),
      {
        compilerOptions: { removeComments: true }
      }
    )
    const written = `export declare const $build: string\n${outputText.replaceAll(';', '')}`.split('\n')
    t.strictSame(written.sort(), declared.sort())
    t.notMatch(
      operationsFile([], { hasClient: has, schemas, sent: schemas, language: 'js' }),
      /^export const \w+: /m
    )
  }
})

t.test('a text keeps every character, and the next run reads it', async (t) => {
  const texts = [
    '{\n  "a": "\\u0000 \\\\ `$\u007bb}` $ \u2028 ü 😀",\r\n "n": 9223372036854775807 }\n',
    '\uFEFFa: |\r\n  `\r  $\u0007{}\\\n',
    'export const yaml = `\\r\\`',
    `# ${'a large contract `$ü😀` '.repeat(50_000)}`,
    ''
  ]
  for (const yaml of texts) {
    const code = documentFile(yaml)
    t.ok(code.length < 1_000_000)
    const module = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    t.strictSame({ ...module }, { yaml })
    t.equal(textInDocument(`// Generated\n${code}`), yaml)
  }
  t.equal(textInDocument('// by hand'), undefined)
})
