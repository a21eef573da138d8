import { test } from 'tap'
import type { ContractProblem } from '../../../src/contract/diagnostics/problem.ts'
import { withoutConsequences } from '../../../src/contract/diagnostics/problem.ts'

const problem = (message: string, rest: Partial<ContractProblem> = {}): ContractProblem => ({
  severity: 'warning',
  file: '/openapi.yaml',
  line: 1,
  column: 1,
  message,
  ...rest
})

test('warnings about missing or unused parts may follow from an error', async (t) => {
  const kept = [
    problem('security scheme key is required by no operation: it has no handler', { severity: 'error' }),
    problem('keyword `fromat` is not known and has no effect')
  ]
  const held = [
    problem('POST /plants has no operationId: it is named post_plants'),
    problem('POST /plants declares no response: whatever its handler returns, the answer is 500'),
    problem('security scheme key is required by no operation: it has no handler')
  ]
  t.strictSame(withoutConsequences([...held, ...kept]), kept)
})
