/** The types of the engine that generated/types.ts imports are those that it names. */
import t from 'tap'
import { sharedTypes } from '../../../../src/compiler/compile/types/shared-types.ts'

const rows: readonly (readonly [text: string, names: string])[] = [
  ['Pet', ''],
  ['None', 'None'],
  ['components["schemas"]["NoneOfThem"]', ''],
  ["'*/*': Bytes; 'text/*': None", 'None, Bytes'],
  ['ToUrl | OnExchange', 'ToUrl, OnExchange']
]

for (const [text, names] of rows)
  t.test(text, async (t) => {
    const from = "from '@contract-first/engine/contract-types';\n"
    const imports = names === '' ? '' : `import type { ${names} } ${from}export type { ${names} };\n`
    t.equal(sharedTypes(text), `${imports}export type * ${from}`)
  })
