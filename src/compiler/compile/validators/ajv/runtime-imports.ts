/** Functions of the engine that validators call: imported by generated code, passed to validators in memory. */
import { fileURLToPath } from 'node:url'
import * as formats from '@contract-first/engine/runtime/formats'
import * as func from '@contract-first/engine/runtime/validators'
import { _, type Code, type CodeGen, type Name, ValueScopeName } from 'ajv/dist/compile/codegen/index.js'
import { formatsFile, nameInCode, type OwnFormat } from './own-formats.ts'

const modules = { formats, func }
const files = {
  formats: fileURLToPath(import.meta.resolve('@contract-first/engine/runtime/formats')),
  func: fileURLToPath(import.meta.resolve('@contract-first/engine/runtime/validators'))
}

/** @returns the name of the function in the code, which is its own */
export function imported<M extends keyof typeof modules>(
  gen: CodeGen,
  module: M,
  name: string & keyof (typeof modules)[M]
): Name {
  return gen.scopeValue(new ValueScopeName(module, name), { ref: Reflect.get(modules[module], name) })
}

const ownPrefix = 'ownFormat'

/** @returns the name of a format of the project's own in the code */
export function importedFormat(gen: CodeGen, format: OwnFormat): Name {
  return gen.scopeValue(new ValueScopeName(ownPrefix, nameInCode(format)), { ref: format.format })
}

/** @returns the import of such a name in generated code */
export function importOf(name: ValueScopeName): Code {
  const file = name.prefix === ownPrefix ? formatsFile : files[name.prefix as keyof typeof files]
  return _`import { ${name} } from ${file};\n`
}
