import { test } from 'tap'
import { operationTypeNames } from '../../../../src/compiler/compile/types/operation-type-names.ts'

test('names are identifiers in Pascal case, and each is another one', async (t) => {
  const rows: [operationId: string, name: string][] = [
    ['createPlant', 'CreatePlant'],
    ['create-plant', 'CreatePlant2'],
    ['create plant', 'CreatePlant3'],
    ['get_plant_v2', 'Get_plant_v2'],
    ['repos/list-for-org', 'ReposListForOrg'],
    ['élagage', 'Élagage'],
    ['植物', '植物'],
    ['a\u{32cd3}b', 'AB'],
    ['2fa', 'Operation2fa'],
    ['', 'Operation'],
    ['__proto__', '__proto__'],
    ['constructor', 'Constructor']
  ]
  t.strictSame(
    operationTypeNames(rows.map(([operationId]) => operationId)),
    rows.map(([, name]) => name)
  )
})
