/** The memory of a process that compiles again and again, as `generate --watch` does. */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { generate } from '../../../src/compiler/compiler.ts'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

const text = { type: 'string' }
/** Objects of which one branch declares a member, and the other one any: lists begin with a schema of no contract. */
const either = {
  anyOf: [{ type: 'object' }, { type: 'object', properties: { a: text, b: { type: 'array', items: text } } }]
}
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Either' } } }

const contractOf = (title: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: {
      '/a': {
        post: {
          operationId: 'post',
          requestBody: { content },
          responses: { 200: { description: 'Done', content } }
        }
      }
    },
    components: { schemas: { Either: either } }
  })

async function generated(folder: string, title: string): Promise<WeakRef<object>> {
  const contract = `${folder}/openapi.json`
  writeFileSync(contract, contractOf(title))
  const { documents } = await generate({ contract, out: `${folder}/generated` })
  return new WeakRef(documents.after)
}

t.test('nothing keeps an earlier contract', async (t) => {
  const folder = t.testdir()
  const earlier: WeakRef<object>[] = []
  for (const title of ['first', 'second', 'third']) earlier.push(await generated(folder, title))
  await sleep(0)
  gc()
  t.strictSame(
    earlier.map((document) => document.deref() !== undefined),
    [false, false, true],
    'the last one is compared with the next'
  )
})
