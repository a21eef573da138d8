/** The slowest files by the processor time that they and their processes take; they start first, so that none runs alone at the end. */
export const slowest: readonly string[] = [
  'docs/editing-the-contract',
  'e2e/stored-data',
  'e2e/limits',
  'e2e/durability',
  'e2e/readme',
  'e2e/docs',
  'scripts/store-change',
  'compiler/command/generate',
  'compiler/command/dev/signals',
  'e2e/newcomer',
  'compiler/command/dev/develop',
  'scripts/mistakes',
  'plants/change-plants',
  'scripts/colour',
  'e2e/shutdown',
  'docs/client',
  'scripts/transfer',
  'contract/server/code-loader',
  'docs/changing-stored-data',
  'contracts/large-contract',
  'contract/linear-work/readers',
  'e2e/ending'
].map((name) => `test/${name}.test.ts`)

/** @returns the files, the slowest first, the others by name */
export function inOrder(files: readonly string[]): string[] {
  const first = slowest.filter((file) => files.includes(file))
  return [...first, ...files.filter((file) => !first.includes(file)).sort()]
}
