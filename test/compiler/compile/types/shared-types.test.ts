/** The types of the engine that generated/types.ts holds are those that it names. */
import t from 'tap'
import { sharedTypes } from '../../../../src/compiler/compile/types/shared-types.ts'

/** @returns the names of the declarations */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => String(name))

const rows: readonly (readonly [text: string, names: readonly string[]])[] = [
  ['Pet', []],
  ['None', ['None']],
  ['components["schemas"]["NoneOfThem"]', []],
  ['SecurityContext', ['LogFunction', 'Logger', 'SecurityContext']],
  ['ToUrl | OnExchange', ['AnsweredExchange', 'ToUrl', 'OnExchange']],
  ['UploadedFile', ['Readable', 'UploadedFile']],
  ['SentForm<Body>', ['FilePart', 'SentBytes', 'SentFile', 'SentField', 'SentForm']]
]

for (const [text, names] of rows)
  t.test(text, async (t) => {
    t.strictSame(namesIn(sharedTypes(text)), names)
  })

t.test('the declarations keep their comments, and lack that of their file', async (t) => {
  const types = sharedTypes('RequestContext')
  t.match(types, /^\/\*\* Members of every request .*\*\/\nexport interface RequestContext<Principal> \{\n/)
  t.match(types, '    /** Id of the request, which is in its log lines. */\n    readonly id: string;\n')
})
