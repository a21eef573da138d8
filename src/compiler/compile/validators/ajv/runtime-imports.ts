/** Functions of the engine that validators call: imported by generated code, passed to validators in memory. */
import { fileURLToPath } from 'node:url'
import * as formats from '@contract-first/engine/runtime/formats'
import * as func from '@contract-first/engine/runtime/validators'
import { _, type Code, type CodeGen, type Name, ValueScopeName } from 'ajv/dist/compile/codegen/index.js'

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

/** @returns the import of such a name in generated code */
export function importOf(name: ValueScopeName): Code {
  return _`import { ${name} } from ${files[name.prefix as keyof typeof files]};\n`
}
