/** The route table and the texts of the contract, in JavaScript and in TypeScript. */
import t from 'tap'
import ts from 'typescript'
import {
  documentFile,
  operationsDeclaration,
  operationsFile
} from '../../../../src/compiler/compile/emit/operations-module.ts'

const importsOf = (text: string) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)

t.test('the route table imports its neighbours by literals, in its own language', async (t) => {
  for (const language of ['js', 'ts'] as const) {
    const names = ['validators', 'serializers', 'requests', 'document', 'document']
    t.strictSame(
      importsOf(operationsFile([], language)),
      names.map((name) => `./${name}.${language}`)
    )
  }
})

t.test('the declarations for the type checker are the same in both', async (t) => {
  const declared = operationsDeclaration()
  const { outputText } = ts.transpileDeclaration(operationsFile([], 'ts'), {
    compilerOptions: { removeComments: true }
  })
  t.equal(`export declare const $build: string\n${outputText.replaceAll(';', '')}`, declared)
  t.notMatch(operationsFile([], 'js'), /: (never|\()/)
})

t.test('texts keep every character', async (t) => {
  const json = '{\n  "a": "\\u0000 \\\\ `$\u007bb}` $ \u2028 ü 😀",\r\n "n": 9223372036854775807 }\n'
  const yaml = '\uFEFFa: |\r\n  `\r  $\u0007{}\\\n'
  const code = documentFile({ json, yaml })
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  t.strictSame({ ...module }, { json, yaml })
})
