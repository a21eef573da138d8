/** Webhooks and callbacks as code of their own (generated/sender.js), which only a sender loads. */
import type { Operation } from '@contract-first/engine/model'
import { sourceOf } from '../source/values.ts'
import type { ContractProblem } from './diagnostics/problem.ts'
import { clientModule, validatorsOf } from './emit/client-module.ts'
import type { CodeLanguage } from './emit/code-language.ts'
import { securitySchemesOf } from './emit/contract-module.ts'
import type { LoadedContract } from './load/load.ts'
import { modelOf, sentById } from './model/contract-model.ts'
import { OperationReader } from './operations/read-operation.ts'
import { type SentOperation, sentOperations } from './operations/sent-operations.ts'
import { Serializers } from './shapes/serializers.ts'
import { Validators } from './validators/validators.ts'

export interface Sender {
  readonly sent: readonly SentOperation[]
  readonly operations: readonly Operation[]
  /** Warnings about those that cannot be sent. */
  readonly problems: readonly ContractProblem[]
  /** Modules of generated/sender.js by name. */
  readonly modules: (language: CodeLanguage, featuresModule: string) => ReadonlyMap<string, string>
}

export function compileSender(contract: LoadedContract): Sender {
  const all = sentOperations(contract.document)
  const whole = read(contract, all)
  const refused = whole.validators.refused()
  const isRefused = (operation: Operation) => validatorsOf(operation).some((name) => refused.has(name))
  const sound = all.filter((_, index) => !isRefused(whole.operations[index] as Operation))
  const { operations, validators } = sound.length === all.length ? whole : read(contract, sound)
  const problems = all
    .filter((each) => !sound.includes(each))
    .map(({ name, node }) =>
      contract.locator.problem('warning', `a schema of ${name} is malformed: no sender has it`, node)
    )
  const modules: Sender['modules'] = (language, featuresModule) => {
    const securitySchemes = securitySchemesOf(modelOf(contract))
    const own = {
      operations,
      securitySchemes,
      language,
      featuresModule,
      validatorsModule: './own',
      formats: contract.formats?.formats
    }
    const targets = Object.fromEntries(
      sound.flatMap(({ name, target }) => (target === undefined ? [] : [[name, target]]))
    )
    const written = validators.modules()
    written.set('./own', String(written.get('index')))
    written.set('./operations', clientModule(own))
    const index = `export * as operations from './operations'\nexport const targets = ${sourceOf(targets)}\n`
    return written.set('index', index)
  }
  return { sent: sound, operations, problems, modules }
}

function read(contract: LoadedContract, sent: readonly SentOperation[]) {
  const validators = new Validators(contract, undefined, 'sent')
  // The problems of the reader concern what a server receives.
  const reader = new OperationReader(contract, validators, new Serializers())
  const declared = sentById(modelOf(contract))
  const operations = sent.flatMap(({ name }) => {
    const operation = declared.get(name)
    return operation === undefined ? [] : [reader.read(operation)]
  })
  return { operations, validators }
}
