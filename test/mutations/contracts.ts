/** A contract is data: compiling one of another author reads only its own files, and starts nothing. */
import type { Mutation } from './mutation.ts'

export const contracts: readonly Mutation[] = [
  {
    guarantee: 'a contract without what it needs to be served is refused',
    file: 'src/contract/load/structure.ts',
    search: "needed.includes(field) || isServed(name, at) ? 'error'",
    replacement: "isServed(name, at) ? 'error'",
    test: 'contract/problems/structure.test.ts'
  },
  {
    guarantee: 'a misspelt field of a contract is refused',
    file: 'src/contract/load/structure.ts',
    search: 'isNearMiss(key, member)',
    replacement: 'key === member',
    test: 'contract/problems/structure.test.ts'
  },
  {
    guarantee: 'an example that is not valid is named',
    file: 'src/compiler/compile/examples.ts',
    search: 'if (!isValid) for (const part of parts)',
    replacement: 'if (isValid) for (const part of parts)',
    test: 'contract/problems/checks.test.ts'
  },
  {
    guarantee: 'a method that Node does not read stops the compiler',
    file: 'src/contract/checks/paths.ts',
    search: 'if (reason !== undefined) error(',
    replacement: 'if (reason === "") error(',
    test: 'contract/problems/checks.test.ts'
  },
  {
    guarantee: 'references of a contract stay below its folder',
    file: 'src/contract/load/contract-folder.ts',
    search: 'if (real !== undefined && !isBelow(this.#realRoot, real)) throw outside\n',
    replacement: '',
    test: 'contract/load/contract-folder.test.ts'
  },
  {
    guarantee: 'git fetches nothing, whatever the configuration of a repository says',
    file: 'src/tools/diff/command/base.ts',
    search: ', ...isolation',
    replacement: '',
    test: 'tools/diff/command.test.ts'
  },
  {
    guarantee: 'patterns that take quadratic time on long texts are named',
    file: 'src/compiler/compile/validators/schema-problems.ts',
    search: 'if (power === 1 || ',
    replacement: 'if (power <= 2 || ',
    test: 'compiler/compile/validators/patterns.test.ts'
  },
  {
    guarantee: 'the patterns of a contract are checked in one time',
    file: 'src/compiler/compile/validators/schema-problems.ts',
    search: ' || this.#left <= 0',
    replacement: '',
    test: 'compiler/compile/validators/patterns.test.ts'
  },
  {
    guarantee: 'a pattern is not tried on a text that is longer than its schema allows',
    file: 'src/compiler/compile/validators/value-keywords.ts',
    search: "const bound = maxLength === undefined ? '' :",
    replacement: "const bound = maxLength !== null ? '' :",
    test: 'engine/linear-work/validators.test.ts'
  },
  {
    guarantee: 'the smoke test of a project does not wait for a handler that never answers',
    file: 'src/tools/new/smoke-exchange.ts',
    search: 'patience), late])',
    replacement: 'patience)])',
    test: 'tools/new/smoke-test.test.ts'
  },
  {
    guarantee: 'the smoke test of a project passes over an operation only while it has no credential',
    file: 'src/tools/new/smoke-exchange.ts',
    search: 'status === 401 && !isAuthorized',
    replacement: 'status === 401',
    test: 'tools/new/smoke-test.test.ts'
  },
  {
    guarantee: 'the smoke test of a project sends no optional parameter',
    file: 'src/tools/new/smoke-test.ts',
    search: '!spec.required || ',
    replacement: '',
    test: 'tools/new/smoke-test.test.ts'
  },
  {
    guarantee: 'a sample of an error has the message only where the contract leaves one place',
    file: 'src/tools/new/error-samples.ts',
    search: 'required.length === 1 ?',
    replacement: 'required.length > 0 ?',
    test: 'tools/new/scaffold.test.ts'
  },
  {
    guarantee: 'a package whose files change is packed again for a new project',
    file: 'src/tools/new/command/pack.ts',
    search: '.update(readFileSync(join(folder, file)))',
    replacement: '',
    test: 'tools/new/write.test.ts'
  },
  {
    guarantee: 'a migration of a new project that fails leaves nothing',
    file: 'src/tools/new/command/templates/src/store/node-sqlite.mts',
    search: 'return true',
    replacement: 'return false',
    test: 'tools/new/run.test.ts'
  },
  {
    guarantee: 'the items of a stream are compared as their own values',
    file: 'src/tools/diff/operations/media-types.ts',
    search: 'if (sequence !== undefined)',
    replacement: 'if (sequence === null)',
    test: 'tools/diff/operations.test.ts'
  },
  {
    guarantee: 'each of several changes of one object has a line',
    file: 'src/tools/diff/schemas/comparison.ts',
    search: '[at.kind, at.path, text].join()',
    replacement: '[at.kind, text].join()',
    test: 'tools/diff/members.test.ts'
  },
  {
    guarantee: 'values of two alternatives of oneOf are not hidden',
    file: 'src/tools/diff/schemas/unions.ts',
    search: 'if (shared.length === 0) return []',
    replacement: 'if (shared.length < 1e9) return []',
    test: 'tools/diff/keywords.test.ts'
  },
  {
    guarantee: 'parameters of webhooks and callbacks are compared',
    file: 'src/tools/diff/operations/compare-contracts.ts',
    search: '  ...parameterDifferences(pair, sent),\n',
    replacement: '',
    test: 'tools/diff/members.test.ts'
  },
  {
    guarantee: 'a base path that moves breaks',
    file: 'src/tools/diff/operations/servers.ts',
    search: 'if (found.length === 0 || !paths.old.isDisjointFrom(paths.now)) return found',
    replacement: 'if (found.length === 0 || paths.old !== paths.now) return found',
    test: 'tools/diff/operations.test.ts'
  },
  {
    guarantee: 'undecided changes fail on demand',
    file: 'src/tools/diff/command/contract-diff.ts',
    search: "['breaking', 'undecided']]",
    replacement: "['breaking']]",
    test: 'tools/diff/command.test.ts'
  },
  {
    guarantee: 'no edit of a contract refuses a value of before in silence',
    file: 'src/tools/diff/schemas/objects.ts',
    search: '...requiredFindings(pair),',
    replacement: '',
    test: 'tools/diff/soundness.test.ts'
  },
  {
    guarantee: 'the conformance check finds a wrong item behind the first one',
    file: 'src/tools/conformance/check-response.ts',
    search: 'if (first === undefined) continue',
    replacement: 'if (first === undefined) break',
    test: 'tools/conformance/streams.test.ts'
  },
  {
    guarantee: 'a request with a wrong item behind the first one is sent',
    file: 'src/tools/conformance/requests/breaks.ts',
    search: '{itemOf(base, problem)}',
    replacement: '{String()}',
    test: 'tools/conformance/streams.test.ts'
  },
  {
    guarantee: 'a client that leaves ends the stream of the mock',
    file: 'src/tools/mock/mock.ts',
    search: 'undefined, { signal }',
    replacement: 'undefined',
    test: 'tools/mock/streams.test.ts'
  },
  {
    guarantee: 'a webhook does not send what is writeOnly',
    file: 'src/compiler/compile/sender.ts',
    search: "new Validators(contract, undefined, 'sent')",
    replacement: 'new Validators(contract)',
    test: 'engine/sender/create-sender.test.ts'
  },
  {
    guarantee: 'an inherited value of a discriminator selects the schema of that name',
    file: 'src/contract/build/discriminators.ts',
    search: 'claims.find(({ name }) => name === value) ??',
    replacement: 'undefined ??',
    test: 'compiler/compile/validators/keywords.test.ts'
  },
  {
    guarantee: 'a base may list its children',
    file: 'src/contract/build/self-application.ts',
    search: 'const members = inherit(cycle)',
    replacement: 'const members = inherit([])',
    test: 'compiler/compile/validators/keywords.test.ts'
  },
  {
    guarantee: 'the nearest default is filled in',
    file: 'src/contract/views/parts.ts',
    search: 'if (found.length > 0) return found',
    replacement: 'return found',
    test: 'contracts/contracts.test.ts'
  },
  {
    guarantee: 'a list of objects in a form is read as JSON',
    file: 'src/engine/server/parameters/paired.ts',
    search: 'if (spec.jsonItems)',
    replacement: 'if (spec.jsonItems === null)',
    test: 'contracts/contracts.test.ts'
  }
]
