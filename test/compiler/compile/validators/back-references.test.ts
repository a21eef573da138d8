/** Patterns with back references, which recheck decides by trial: counting coverage would exceed its CPU time. */
import t from 'tap'
import { PatternChecks } from '../../../../src/compiler/compile/validators/patterns.ts'
import { degreeOf } from '../../../../src/compiler/compile/validators/recheck.ts'

t.test('a repetition that is repeated by reference takes quadratic time', async (t) => {
  t.equal(degreeOf('^(a+)\\1$', 'u'), 2)
  t.strictSame(new PatternChecks().slow('^(a+)\\1$', Infinity), { degree: 2, maxLength: 2048 })
})
