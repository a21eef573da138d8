/** The contracts of test/contracts, served by the mock: requests are judged as the engine judges them, and nothing throws. */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { type Check, checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { createMock } from '../../../src/tools/mock/mock.ts'

t.setTimeout(900_000)
const folder = resolve(import.meta.dirname, '../../contracts')

/**
 * Findings to expect: a mock accepts every credential and keeps nothing, and many of these contracts declare no
 * refusals.
 */
const expected: readonly Check[] = [
  'wrong-credentials-accepted',
  'undeclared-status',
  'value-changed',
  'created-not-found'
]

/** Limits of the mock: undeclared success answers, and an encoded body. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'responses.yaml': ['server-error GET /nothing', 'server-error GET /switch'],
  'tolerated.yaml': ['valid-request-refused POST /encoded']
}

for (const name of readdirSync(folder).filter((file) => file.endsWith('.yaml')))
  t.test(`requests of ${name} are valid, or refused`, async (t) => {
    const compiled = await compileInMemory(join(folder, name))
    const { app, basePath } = await createMock(compiled, { seed: 1 })
    const url = new URL(`${await app.listen({ host: '127.0.0.1', port: 0 })}${basePath}`)
    t.teardown(async () => {
      app.server.closeAllConnections()
      await app.close()
    })
    const { report } = await checkConformance({
      ...compiled,
      url,
      token: 'token-of-the-mock',
      requests: 0,
      seed: 2
    })
    const found = report.findings.filter(({ check }) => !expected.includes(check))
    t.strictSame(
      found
        .map(({ check, operation }) => `${check} ${operation}`)
        .filter((each) => !exceptions[name]?.includes(each)),
      [],
      JSON.stringify(found.map(({ message, curl }) => [message, curl]))
    )
  })
