/** The component schemas of a contract as code of their own, which nothing loads before the first use of one. */
import {
  type ContractProblem,
  type Schema as ContractSchema,
  contractProblem,
  hasSides,
  make,
  type OwnFormats
} from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import { format } from '@contract-first/engine/model'
import { formatImports, formatsSource, nameInCode } from '../source/own-formats.ts'
import { Source, sourceOf } from '../source/values.ts'
import { Int64Plans } from './operations/int64-plan.ts'
import { labelOf } from './operations/read-operation.ts'
import { ShapeGraph, shapeTable } from './shapes/shape-graph.ts'
import { Validators } from './validators/validators.ts'

/** A component schema. */
export interface Component {
  readonly name: string
  /** Schema that refers to it. */
  readonly reference: ContractSchema
  /** True if a handler receives other values of it than it sends. */
  readonly hasSides: boolean
}

export interface ComponentSchemas {
  /** Names of the schemas that have functions. */
  readonly names: readonly string[]
  /** Schemas that have none, because they are malformed; no operation uses them. */
  readonly problems: readonly ContractProblem[]
  /** Modules of generated/schemas.js by name; empty without schemas. */
  readonly modules: ReadonlyMap<string, string>
}

/**
 * @param operations validators of the operations, which are shared
 * @param validatorsFile module that exports them
 */
export function componentSchemas(
  contract: LoadedContract,
  operations: Validators,
  validatorsFile: string
): ComponentSchemas {
  const all = componentsIn(contract)
  const whole = new Tables(contract, operations, all)
  const refused = whole.refused()
  const sound = all.filter((component) => !refused.includes(component))
  const tables = refused.length === 0 ? whole : new Tables(contract, operations, sound)
  const problems = refused.map(({ name }) => {
    const message = `schema ${name} is malformed, or refers to such a schema: \`contract.schemas\` does not have it`
    const origin = contract.model.origin.at('components', 'schemas', name)
    return contractProblem({ severity: 'warning', rule: 'schema', message, origin })
  })
  const modules = sound.length === 0 ? new Map<string, string>() : tables.modules(validatorsFile)
  return { names: sound.map(({ name }) => name), problems, modules }
}

function componentsIn(contract: LoadedContract): Component[] {
  return [...contract.model.components.schemas].map(([name, schema]) => ({
    name,
    reference: make({ ref: schema }, schema),
    hasSides: hasSides(schema)
  }))
}

/** Side of a value: a handler sends no `writeOnly` property and receives no `readOnly` one. */
const sides = {
  sent: { writer: 'service', view: 'response' },
  received: { writer: 'client', view: 'request' }
} as const

class Tables {
  readonly #formats: OwnFormats | undefined
  readonly #operations: Validators
  readonly #validators: Validators
  /** Names of the validators and their components; equal schemas share one. */
  readonly #own: (readonly [name: string, component: Component])[] = []
  /** Validators that the plans of int64 name. */
  readonly #branches = new Set<string>()
  readonly #sent: object
  readonly #received: object | undefined

  constructor(contract: LoadedContract, operations: Validators, components: readonly Component[]) {
    this.#formats = contract.formats?.formats
    this.#operations = operations
    this.#validators = new Validators(contract, operations)
    const differing = components.filter(({ hasSides }) => hasSides)
    this.#sent = this.#side(components, 'sent')
    this.#received = differing.length === 0 ? undefined : this.#side(differing, 'received')
  }

  /** Returns the components that are malformed: every other check of schemas is one of operations. */
  refused(): readonly Component[] {
    const refused = this.#validators.refused()
    return [...new Set(this.#own.flatMap(([name, component]) => (refused.has(name) ? [component] : [])))]
  }

  modules(validatorsFile: string): Map<string, string> {
    const validators = [...this.#branches].map((name) => [name, new Source(`own.${name}`)] as const)
    const [sent, received] = [this.#sent, this.#received]
    const formats = this.#formats
    const tables = {
      format,
      sent,
      received,
      validators: Object.fromEntries(validators),
      ...(formats && { formats: new Source(formatsSource(formats, nameInCode)) })
    }
    const lines = [
      ...formatImports(formats),
      "import { componentSchemas } from '@contract-first/engine/schemas'",
      "import * as own from './own'",
      `export const schemas = componentSchemas(${sourceOf(tables)})`
    ]
    const modules = this.#validators.modules(`./${validatorsFile}`)
    modules.set('./own', String(modules.get('index')))
    return modules.set('index', `${lines.join('\n')}\n`)
  }

  #side(components: readonly Component[], side: keyof typeof sides): object {
    const graph = new ShapeGraph(sides[side].writer)
    const numbers = components.map(({ reference }) => graph.add([reference]))
    const { shapes, position } = shapeTable(graph, numbers)
    const plans = new Int64Plans(this.#formats)
    const int64 = components.map(({ name, reference }) =>
      plans.add(reference, (branch) => this.#branch(side, branch, `${labelOf(name)}_branch`))
    )
    const schemas = components.map((component, index) => {
      const validate = new Source(this.#validator(component, side))
      const shape = position(Number(numbers[index]))
      return [component.name, { validate, int64: int64[index]?.start, shape }] as const
    })
    const known = int64.find((plan) => plan !== undefined)
    return { schemas: Object.fromEntries(schemas), shapes, plans: known?.plans ?? {} }
  }

  #branch(side: keyof typeof sides, schema: ContractSchema, label: string): string {
    const name = this.#validators.add(sides[side].view, schema, label)
    this.#branches.add(name)
    return name
  }

  /** Returns the validator of a component: that of requests where both are equal and an operation has it. */
  #validator(component: Component, side: keyof typeof sides): string {
    const { name, reference, hasSides } = component
    const isReceived = !hasSides && this.#operations.has('request', reference)
    const own = this.#validators.add(isReceived ? 'request' : sides[side].view, reference, labelOf(name))
    this.#own.push([own, component])
    return `own.${own}`
  }
}
