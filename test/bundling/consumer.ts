/** A separate project: this contract and one of many operations, compiled, and a server for both. */
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import { compileCached } from '../contracts/compile-cache.ts'

/** Number of operations for which a server loads their code at the first request. */
const count = 301

const last = count - 1

const many = {
  openapi: '3.1.0',
  info: { title: 'Many', version: '1' },
  paths: Object.fromEntries(Array.from({ length: count }, (_, number) => [`/o${number}`, operation(number)])),
  components: { schemas: { Small: numberFrom(0), Large: numberFrom(last) } }
}

function numberFrom(minimum: number) {
  const n = { type: 'integer', format: 'int64', minimum }
  return { type: 'object', required: ['n'], properties: { n } }
}

function operation(number: number) {
  const schema = { $ref: `#/components/schemas/${number === last ? 'Large' : 'Small'}` }
  const content = { 'application/json': { schema } }
  return {
    post: {
      operationId: `o${number}`,
      requestBody: { required: true, content },
      responses: {
        200: { description: 'the same', content },
        default: { description: 'a failure', content: { 'application/json': {} } }
      }
    }
  }
}

const server = `
import { createContractServer } from '@contract-first/engine/server'
import many from './many/contract.ts'
import own from './own/contract.ts'

const common = {
  errorBody: ({ message }: { message: string }) => ({ error: 4000, message }),
  checkedAtBuild: true
}

async function main(): Promise<void> {
  const plants = await createContractServer({
    ...common,
    contract: own,
    security: { bearerAuth: async (token) => ({ token }) },
    handlers: { createPlant: async ({ body }) => ({ status: 200, body }) }
  })
  const echo = async ({ body }: { body: unknown }) => ({ status: 200, body })
  const ids = Array.from({ length: ${count} }, (_, number) => \`o\${number}\`)
  const others = await createContractServer({
    ...common,
    contract: many,
    handlers: Object.fromEntries(ids.map((id) => [id, echo])),
    security: {}
  })
  const urls = await Promise.all([plants, others].map((app) => app.listen({ host: '127.0.0.1', port: 0 })))
  console.log(JSON.stringify(urls))
}

void main()
`

const service = `
import { defineService, runMain } from '@contract-first/service'
import contract from './own/contract.ts'

const service = defineService({
  contract,
  security: { bearerAuth: async (token) => ({ token }) },
  handlers: () => ({ createPlant: async ({ body }) => ({ status: 200, body }) }),
  errorBody: ({ message }) => ({ error: 4000, message }),
  errorLabel: () => '4000',
  errorReason: () => '',
  checkedAtBuild: true
})

void runMain({
  manifest: { version: '1' },
  contract: async () => contract,
  service: async () => service
})
`

/** Exports of the engine that the server uses. */
const engine = `
interface Options {
  readonly contract: { readonly format: string; readonly operations: readonly object[] }
  readonly handlers: Readonly<Record<string, (request: { readonly body: unknown }) => Promise<object>>>
  readonly security: Readonly<Record<string, (credential: string) => Promise<object>>>
  readonly errorBody: (failure: { readonly message: string }) => object
  readonly checkedAtBuild: boolean
}
interface App { listen(options: { readonly host: string; readonly port: number }): Promise<string> }
export declare function createContractServer(options: Options): Promise<App>
`

/**
 * @param compilerOptions compiler options of its tsconfig.json, which decide about the language of the generated code
 */
export async function writeConsumer(folder: string, compilerOptions: object): Promise<void> {
  await mkdir(folder, { recursive: true })
  await cp('openapi.yaml', join(folder, 'own.yaml'))
  await writeFile(join(folder, 'many.json'), JSON.stringify(many))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
  await writeFile(join(folder, 'main.ts'), server)
  await writeFile(join(folder, 'service.ts'), service)
  await writeFile(join(folder, 'engine.d.ts'), engine)
  for (const file of ['own.yaml', 'many.json']) {
    const out = join(folder, file.replace(/\..*/, ''))
    await writeFiles(await compileCached(join(folder, file), out), out)
  }
}
