/** The planted defects of the desk: requests that are always sent find them, without one by chance. */
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { type CheckOptions, checkConformance } from '../../../src/compiler/conformance.ts'
import { deskToken } from './desk.ts'
import { deskServer } from './desk-server.ts'
import { planted } from './planted.ts'
import { listening } from './shop-server.ts'

t.setTimeout(300_000)
const { contract, document } = await compileInMemory('test/compiler/conformance/desk.yaml')

async function checked(defects: readonly string[], options: Partial<CheckOptions> = {}) {
  const { url, close } = await listening(deskServer(...defects))
  try {
    const { report } = await checkConformance({
      contract,
      document,
      url,
      token: deskToken,
      requests: 0,
      ...options
    })
    return report
  } finally {
    close()
  }
}

for (const [index, [defect, check, operation, message]] of planted.entries())
  t.test(`${check} at ${operation}: ${defect}`, async (t) => {
    const { findings } = await checked([defect], {
      only: [operation],
      seed: index,
      requests: defect.startsWith('one id in') ? 60 : 0
    })
    const found = findings.filter((each) => each.check === check && each.operation === operation)
    t.ok(
      found.some((each) => message.test(each.message)),
      JSON.stringify(findings.map((each) => each.message))
    )
  })
