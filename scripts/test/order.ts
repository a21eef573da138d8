/** Slowest files by CPU time, child processes included. They start first, so that none runs alone at the end. */
export const slowest: readonly string[] = [
  'e2e/docs',
  'e2e/readme',
  'compiler/command/new/run',
  'docs/tasks',
  'contracts/large-contract',
  'e2e/stored-data',
  'compiler/command/dev/develop',
  'compiler/conformance/contracts',
  'compiler/command/typecheck/type-checker',
  'e2e/terminal',
  'engine/server/transport/protections',
  'docs/editing-the-contract',
  'e2e/durability',
  'contracts/types',
  'scripts/store-change',
  'compiler/command/dev/signals',
  'scripts/colour',
  'compiler/conformance/defects',
  'compiler/conformance/planted',
  'compiler/command/generate',
  'compiler/compile/emit/write',
  'docs/openapi-support',
  'scripts/mistakes',
  'fuzz/fuzz',
  'store/postgres/postgres',
  'compiler/mock',
  'compiler/command/dev/screen',
  'compiler/command/generate/file-watcher',
  'compiler/command/dev/live-reload',
  'bundling/bundling',
  'e2e/newcomer',
  'e2e/limits',
  'e2e/ending',
  'e2e/start',
  'docs/client',
  'e2e/dev-reload',
  'agreement/agreement',
  'e2e/shutdown',
  'compiler/compile/checks/checks'
].map((name) => `test/${name}.test.ts`)

/** @returns the files, the slowest first, the others by name */
export function inOrder(files: readonly string[]): string[] {
  const first = slowest.filter((file) => files.includes(file))
  return [...first, ...files.filter((file) => !first.includes(file)).sort()]
}
