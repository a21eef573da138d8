/** Which component schemas get functions, and what their code shares with that of the operations. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Compiled, compileContract } from '../../../src/compiler/compile/compile.ts'

async function compile(t: Test, document: object): Promise<Compiled> {
  const folder = await mkdtemp(join(tmpdir(), 'schemas-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'contract.json')
  await writeFile(path, JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, ...document }))
  return compileContract(path, folder)
}

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Used' } } }
const responses = { 200: { description: 'ok', content } }
const paths = { '/used': { put: { operationId: 'use', requestBody: { content }, responses } } }

t.test('a schema that no operation uses has functions; a malformed one is left out', async (t) => {
  const { files, problems } = await compile(t, {
    paths,
    components: {
      schemas: {
        Used: { type: 'object', properties: { a: { type: 'string' } } },
        Unused: { type: 'string', maxLength: 3 },
        Malformed: { type: 'strng' },
        Equal: { type: 'strng' },
        Above: { type: 'array', items: { $ref: '#/components/schemas/Malformed' } }
      }
    }
  })
  const code = String(files.get('schemas.js'))
  t.match(
    code,
    /import \{ request_Used \} from "\.\/validators\.js".*Used: \{ validate: request_Used,/s,
    'the validator of the request body is shared'
  )
  t.match(code, /Unused: \{ validate: response_Unused/)
  t.notMatch(code, /Malformed|Equal|Above/)
  t.match(String(files.get('types.ts')), "type CodecNames = 'Used' | 'Unused';")
  t.match(String(files.get('operations.js')), "Object.fromEntries(['Used', 'Unused'].map(lazySchema))")
  const refused = problems.filter(({ message }) => message.includes('contract.schemas'))
  t.strictSame(
    refused.map(({ severity, message }) => `${severity} ${message.split(' is')[0]}`),
    ['warning schema Malformed', 'warning schema Equal', 'warning schema Above']
  )
})

t.test('a contract without component schemas has no file for them', async (t) => {
  const { files } = await compile(t, { paths: {} })
  t.notOk(files.has('schemas.js'))
  for (const [name, text] of files) t.notMatch(text, /Codec|lazySchema|loadSchemas/, name)
})
