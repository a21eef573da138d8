/** Webhooks and callbacks as code of their own (generated/sender.js), which only a sender loads. */
import type { ContractProblem, Operation as Declared } from '@contract-first/contract'
import { type Contract, contractProblem } from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import type { Operation } from '@contract-first/engine/model'
import { sourceOf } from '../source/values.ts'
import { clientModule, validatorsOf } from './emit/client-module.ts'
import type { CodeLanguage } from './emit/code-language.ts'
import { securitySchemesOf } from './emit/contract-module.ts'
import { OperationReader } from './operations/read-operation.ts'
import { Serializers } from './shapes/serializers.ts'
import { Validators } from './validators/validators.ts'

export interface Sender {
  /** Runtime expressions of the targets of callbacks by operation. */
  readonly targets: Readonly<Record<string, string>>
  readonly operations: readonly Operation[]
  /** Warnings about those that cannot be sent. */
  readonly problems: readonly ContractProblem[]
  /** Modules of generated/sender.js by name. */
  readonly modules: (language: CodeLanguage, featuresModule: string) => ReadonlyMap<string, string>
}

export function compileSender(contract: LoadedContract): Sender {
  const expressions = sentOperations(contract.model)
  const all = [...expressions.keys()]
  const whole = read(contract, all)
  const refused = whole.validators.refused()
  const isRefused = (operation: Operation) => validatorsOf(operation).some((name) => refused.has(name))
  const sound = all.filter((_, index) => !isRefused(whole.operations[index] as Operation))
  const { operations, validators } = sound.length === all.length ? whole : read(contract, sound)
  const problems = all
    .filter((each) => !sound.includes(each))
    .map(({ id, origin }) => {
      const message = `a schema of ${id} is malformed: no sender has it`
      return contractProblem({ severity: 'warning', rule: 'schema-keyword', message, origin })
    })
  const targets = Object.fromEntries(
    sound.flatMap((each) => {
      const expression = expressions.get(each)
      return expression === undefined ? [] : [[each.id, expression]]
    })
  )
  const modules: Sender['modules'] = (language, featuresModule) => {
    const securitySchemes = securitySchemesOf(contract.model)
    const own = {
      operations,
      securitySchemes,
      language,
      featuresModule,
      validatorsModule: './own',
      formats: contract.formats?.formats
    }
    const written = validators.modules()
    written.set('./own', String(written.get('index')))
    written.set('./operations', clientModule(own))
    const index = `export * as operations from './operations'\nexport const targets = ${sourceOf(targets)}\n`
    return written.set('index', index)
  }
  return { targets, operations, problems, modules }
}

function read(contract: LoadedContract, sent: readonly Declared[]) {
  const validators = new Validators(contract, undefined, 'sent')
  // The problems of the reader concern what a server receives.
  const reader = new OperationReader(contract, validators, new Serializers())
  return { operations: sent.map((each) => reader.read(each)), validators }
}

/** Returns webhooks, then the callbacks of operations and webhooks, each with the runtime expression of its target. */
function sentOperations({ operations, webhooks }: Contract): ReadonlyMap<Declared, string | undefined> {
  const sent = new Map<Declared, string | undefined>(webhooks.map((each) => [each, undefined]))
  for (const { callbacks } of [...operations, ...webhooks])
    for (const { expression, operation } of callbacks) sent.set(operation, expression)
  return sent
}
