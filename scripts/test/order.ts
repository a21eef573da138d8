/** The slowest files by the processor time that they and their processes take; they start first, so that none runs alone at the end. */
export const slowest: readonly string[] = [
  'docs/editing-the-contract',
  'e2e/terminal',
  'e2e/stored-data',
  'e2e/readme',
  'contracts/large-contract',
  'compiler/command/dev/develop',
  'e2e/durability',
  'scripts/colour',
  'compiler/conformance/defects',
  'compiler/command/generate',
  'e2e/docs',
  'compiler/command/dev/signals',
  'docs/client',
  'scripts/store-change',
  'compiler/command/dev/screen',
  'scripts/mistakes',
  'compiler/command/watch/file-watcher',
  'e2e/newcomer',
  'contracts/types',
  'compiler/conformance/contracts',
  'agreement/agreement',
  'e2e/limits',
  'e2e/ending',
  'e2e/dev-reload',
  'fuzz/fuzz',
  'e2e/memory',
  'store/postgres/outage',
  'store/postgres/postgres',
  'plants/change-plants',
  'contract/linear-work/readers',
  'scripts/transfer',
  'e2e/shutdown',
  'docs/changing-stored-data',
  'contract/server/code-loader'
].map((name) => `test/${name}.test.ts`)

/** @returns the files, the slowest first, the others by name */
export function inOrder(files: readonly string[]): string[] {
  const first = slowest.filter((file) => files.includes(file))
  return [...first, ...files.filter((file) => !first.includes(file)).sort()]
}
