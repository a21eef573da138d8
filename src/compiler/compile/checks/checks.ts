/** Checks rules that the linter does not know: rules of OpenAPI across objects, and limits of the engine. */
import type { ContractProblem } from '../diagnostics/problem.ts'
import { operationNodes } from '../document/operation-objects.ts'
import type { LoadedContract } from '../load/load.ts'
import { checkCookies } from './cookies.ts'
import { checkNames } from './names.ts'
import { checkOperationIds } from './operation-ids.ts'
import { checkParameters } from './parameters.ts'
import { checkPaths } from './paths.ts'
import { checkReferenceKinds } from './reference-kinds.ts'
import { checkReferences } from './references.ts'
import { reporterInto } from './reporter.ts'
import { checkResponses } from './responses.ts'
import { checkSchemas } from './schemas.ts'
import { checkSecurity } from './security.ts'

/** Returns every problem in any order; runs before compilation. */
export function checkContract({ document, locator }: LoadedContract): ContractProblem[] {
  const problems: ContractProblem[] = []
  const reporter = reporterInto(problems, locator)
  const operations = operationNodes(document)
  checkOperationIds(operations, reporter)
  checkNames(document, reporter)
  checkPaths(document, operations, reporter)
  for (const operation of operations) {
    checkParameters(operation, document, reporter)
    checkResponses(operation, reporter)
  }
  checkSecurity(document, operations, reporter)
  checkCookies(document, operations, reporter)
  checkReferences(document, reporter)
  checkReferenceKinds(document, operations, reporter)
  checkSchemas(document, reporter)
  return problems
}
