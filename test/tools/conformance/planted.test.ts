/** The planted defects of desk and depot: requests that are always sent find them, without one by chance. */
import type { Server } from 'node:http'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { depotServer } from './depot.ts'
import { deskToken } from './desk.ts'
import { deskServer } from './desk-server.ts'
import { listening } from './listening.ts'
import { type Planted, plantedInDepot, plantedInDesk } from './planted.ts'

t.setTimeout(900_000)

const tables: Readonly<Record<string, readonly [(...defects: string[]) => Server, readonly Planted[]]>> = {
  desk: [deskServer, plantedInDesk],
  depot: [depotServer, plantedInDepot]
}
/** A defect that shows for few of the valid values: requests by chance find it. */
const byChance = 'one id in fifty crashes'
/** Defects that do not show beside those of the same operation. */
const alone = [
  'an unknown kind of payment crashes',
  'a part that is required may be missing',
  'a file may be of any size'
]

/**
 * Names the server of a defect. Those that show for requests which break the contract, and whose messages begin with the
 * place, leave valid requests as they are: one server of an operation has them all.
 */
function serverOf([defect, , operation, message]: Planted): string {
  const isOfPlace = /^(?:body|query|headers|cookies|params)\b/.test(message.source)
  return isOfPlace && !alone.includes(defect) ? operation : `${operation}: ${defect}`
}

for (const [name, [server, rows]] of Object.entries(tables)) {
  const compiled = await compileInMemory(`test/tools/conformance/${name}.yaml`)
  const groups = [...Map.groupBy(rows, serverOf)]
  for (const [index, [label, group]] of groups.entries())
    t.test(`${name}, ${label}`, async (t) => {
      const defects = group.map(([defect]) => defect)
      const { url, close } = await listening(server(...defects))
      t.teardown(close)
      const { report } = await checkConformance({
        ...compiled,
        url: name === 'depot' ? new URL('/v2', url) : url,
        ...(name === 'desk' && { token: deskToken }),
        only: group.slice(0, 1).map(([, , operation]) => operation),
        seed: index,
        requests: defects.includes(byChance) ? 200 : 0
      })
      for (const [defect, check, operation, message] of group) {
        const found = report.findings.filter((each) => each.check === check && each.operation === operation)
        const messages = found.map((each) => each.message)
        const isFound = messages.some((each) => message.test(each))
        t.ok(isFound, `${check}: ${defect}`, { messages })
      }
    })
}
