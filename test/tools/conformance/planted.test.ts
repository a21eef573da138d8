/** The planted defects of desk and depot: requests that are always sent find them, without one by chance. */
import type { Server } from 'node:http'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { depotServer } from './depot.ts'
import { deskToken } from './desk.ts'
import { deskServer } from './desk-server.ts'
import { type Planted, plantedInDepot, plantedInDesk } from './planted.ts'
import { listening } from './shop-server.ts'

t.setTimeout(900_000)

const tables: Readonly<Record<string, readonly [(defect: string) => Server, readonly Planted[]]>> = {
  desk: [deskServer, plantedInDesk],
  depot: [depotServer, plantedInDepot]
}
/** A defect that shows for few of the valid values: requests by chance find it. */
const byChance = 'one id in fifty crashes'

for (const [name, [server, rows]] of Object.entries(tables)) {
  const compiled = await compileInMemory(`test/tools/conformance/${name}.yaml`)
  for (const [index, [defect, check, operation, message]] of rows.entries())
    t.test(`${name}, ${check} at ${operation}: ${defect}`, async (t) => {
      const { url, close } = await listening(server(defect))
      t.teardown(close)
      const { report } = await checkConformance({
        ...compiled,
        url: name === 'depot' ? new URL('/v2', url) : url,
        ...(name === 'desk' && { token: deskToken }),
        only: [operation],
        seed: index,
        requests: defect === byChance ? 200 : 0
      })
      const found = report.findings.filter((each) => each.check === check && each.operation === operation)
      t.ok(
        found.some((each) => message.test(each.message)),
        JSON.stringify(report.findings.map((each) => each.message))
      )
    })
}
