/** Parts of a module of validators. Each depends on its own schema only, so that an edit leaves the others as they are. */
import type { ScopeValueSets, ValueScopeName } from 'ajv/dist/compile/codegen/index.js'
import { Memo } from '../../../source/memo.ts'
import { importOf } from './runtime-imports.ts'

/** A validator of a module, and what it needs. */
export interface Part {
  readonly code: string
  /** Constants and imports by name; equal ones have one name in all parts. */
  readonly declarations: ReadonlyMap<string, string>
  /** Names of the validators that it calls. */
  readonly called: readonly string[]
}

/** Parts of the last contracts: about two of the size of the largest that are published. */
export const parts = new Memo<Part>(20_000)

type Values = Readonly<Record<string, ReadonlySet<ValueScopeName>>>

/** @param values values in the scope of the code, by prefix: schemas that no code reads, and validators, are left out */
export function partOf(
  code: string,
  { schema, wrapper = new Set<ValueScopeName>(), ...others }: ScopeValueSets
): Part {
  const read = new Set(code.match(/[\w$]+/g))
  const schemas = [...(schema as Set<ValueScopeName>)].filter((name) => read.has(String(name)))
  const declared = [...Object.values(others as Values).flatMap((names) => [...names]), ...schemas]
  return {
    code,
    declarations: new Map(declared.map((name) => [String(name), declarationOf(name)])),
    called: [...wrapper].map(({ value }) => String(value?.key))
  }
}

const declarationOf = (name: ValueScopeName): string => {
  const code = name.value?.code
  return code === undefined ? String(importOf(name)) : `const ${name} = ${code};\n`
}
