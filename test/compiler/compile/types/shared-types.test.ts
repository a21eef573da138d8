/** The types of the engine that generated/types.ts imports or holds are those that it names. */
import { join } from 'node:path'
import t from 'tap'
import {
  dependsOnEngine,
  importedTypes,
  sharedTypes
} from '../../../../src/compiler/compile/types/shared-types.ts'

/** @returns the names of the declarations */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => String(name))

interface Row {
  readonly text: string
  readonly imported: string
  /** Those that the imported ones name, too. */
  readonly copied: readonly string[]
}

const rows: readonly Row[] = [
  { text: 'Pet', imported: '', copied: [] },
  { text: 'None', imported: 'None', copied: ['None'] },
  { text: 'components["schemas"]["NoneOfThem"]', imported: '', copied: [] },
  { text: "'*/*': Bytes; 'text/*': None", imported: 'None, Bytes', copied: ['None', 'Bytes'] },
  {
    text: 'SecurityContext',
    imported: 'SecurityContext',
    copied: ['LogFunction', 'Logger', 'SecurityContext']
  },
  {
    text: 'ToUrl | OnExchange',
    imported: 'ToUrl, OnExchange',
    copied: ['AnsweredExchange', 'ToUrl', 'OnExchange']
  },
  {
    text: 'SentForm<Body>',
    imported: 'SentForm',
    copied: ['FilePart', 'SentBytes', 'SentFile', 'SentField', 'SentForm']
  }
]

for (const { text, imported, copied } of rows)
  t.test(text, async (t) => {
    const from = "from '@contract-first/engine/contract-types';\n"
    const imports = imported === '' ? '' : `import type { ${imported} } ${from}export type { ${imported} };\n`
    t.equal(importedTypes(text), `${imports}export type * ${from}`)
    t.strictSame(namesIn(sharedTypes(text)), copied)
  })

t.test('the copies keep their comments, and lack that of their file', async (t) => {
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
