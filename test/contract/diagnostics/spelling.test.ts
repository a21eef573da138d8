import t from 'tap'
import { isNearMiss } from '../../../src/contract/diagnostics/spelling.ts'

const rows: readonly (readonly [written: string, meant: string, isMisspelt: boolean])[] = [
  ['requestbody', 'requestBody', true],
  ['request_body', 'requestBody', true],
  ['request-Body', 'requestBody', true],
  ['requestBdy', 'requestBody', true],
  ['requestBoddy', 'requestBody', true],
  ['requestBidy', 'requestBody', true],
  ['requestBoyd', 'requestBody', true],
  ['requestBod', 'requestBody', true],
  ['requestBodys', 'requestBody', true],
  ['equestBody', 'requestBody', true],
  ['requetsBdoy', 'requestBody', false],
  ['body', 'requestBody', false],
  ['tpye', 'type', true],
  ['in', 'id', false],
  ['nam', 'name', false],
  ['Not', 'not', true],
  ['x-type', 'type', false],
  ['X-type', 'type', false],
  ['type', 'x-type', false],
  ['schema', '$schema', false],
  ['sumary', 'summary', false],
  ['descripton', 'description', false]
]

for (const [written, meant, isMisspelt] of rows)
  t.test(`${written} is ${isMisspelt ? '' : 'not '}a misspelt ${meant}`, async (t) => {
    t.equal(isNearMiss(written, meant), isMisspelt)
  })
