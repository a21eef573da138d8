/** Prints the model of each contract and compares it with the document, both in a normal form. */
import t from 'tap'
import { modelOf } from '../../src/compiler/compile/contract-model.ts'
import { type JsonObject, print } from '../../src/contract/contract.ts'
import { collection } from './collection.ts'
import { normalForm } from './normal-form.ts'

t.setTimeout(900_000)

const componentsOf = (document: JsonObject): string[] =>
  Object.keys(Object(Reflect.get(Object(Reflect.get(document, 'components')), 'schemas'))).sort()

t.test('every contract of the collection is printed as it is', async (t) => {
  let count = 0
  for await (const [file, contract] of collection()) {
    count++
    const model = modelOf(contract)
    const names = componentsOf(contract.document)
    t.equal(normalForm(print(model), names), normalForm(contract.document, names), file)
    t.notOk(
      model.problems.some(({ severity }) => severity === 'error'),
      file
    )
  }
  t.ok(count > 40, String(count))
})
