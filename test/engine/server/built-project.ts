/** Projects with generated code that tests mix, cut and boot. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { generate } from '../../../src/compiler/compile/generate.ts'
import { checkBoot } from '../../../src/engine/server/boot-checks.ts'
import { codeLoader } from '../../../src/engine/server/code-loader.ts'

export const contractOf = (maxLength: number, path = '/a') => `openapi: 3.1.0
info: { title: Limits, version: '1' }
paths:
  ${path}:
    post:
      operationId: a
      requestBody: { content: { application/json: { schema: { type: string, maxLength: ${maxLength} } } } }
      responses: { '204': { description: ok } }
`

let folders = 0

/** Writes a project with its generated code. */
export async function project(t: Test, text: string, language: 'js' | 'ts' = 'js'): Promise<string> {
  const options = { rewriteRelativeImportExtensions: language === 'ts' }
  const folder = join(t.testdirName, `project${folders++}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'openapi.yaml'), text)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  await generate({ contract: join(folder, 'openapi.yaml'), out: join(folder, 'generated') })
  return folder
}

/** Boots a copy of the project, because Node loads each module once. */
export async function boot(t: Test, folder: string, isBundled = false): Promise<void> {
  const copy = join(t.testdirName, `copy${folders++}`)
  cpSync(folder, copy, { recursive: true })
  const { default: contract } = await import(pathToFileURL(join(copy, 'generated/contract.ts')).href)
  const handlers = { a: () => undefined }
  await checkBoot({ contract, handlers, security: {}, checkedAtBuild: isBundled })
  await codeLoader(contract, () => {})
}
