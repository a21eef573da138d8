/** Slowest files by CPU time, child processes included. They start first, so that none runs alone at the end. */
export const slowest: readonly string[] = [
  'e2e/docs',
  'docs/editing-the-contract',
  'e2e/stored-data',
  'compiler/command/dev/develop',
  'compiler/conformance/defects',
  'compiler/command/dev/signals',
  'e2e/durability',
  'scripts/colour',
  'compiler/conformance/contracts',
  'scripts/store-change',
  'e2e/terminal',
  'engine/server/transport/protections',
  'e2e/readme',
  'contracts/large-contract',
  'compiler/command/generate',
  'compiler/command/new/run',
  'compiler/compile/validators/ajv/exponential-calls',
  'compiler/diff/too-many-steps',
  'compiler/compile/emit/write',
  'docs/client',
  'compiler/command/dev/screen',
  'scripts/mistakes',
  'compiler/command/project/file-watcher',
  'e2e/newcomer',
  'contracts/types',
  'agreement/agreement',
  'e2e/limits',
  'e2e/ending',
  'e2e/dev-reload',
  'fuzz/fuzz',
  'e2e/memory',
  'store/postgres/outage',
  'store/postgres/postgres',
  'plants/change-plants',
  'engine/linear-work/readers',
  'scripts/transfer',
  'e2e/shutdown',
  'docs/changing-stored-data',
  'engine/server/code-loader'
].map((name) => `test/${name}.test.ts`)

/** @returns the files, the slowest first, the others by name */
export function inOrder(files: readonly string[]): string[] {
  const first = slowest.filter((file) => files.includes(file))
  return [...first, ...files.filter((file) => !first.includes(file)).sort()]
}
