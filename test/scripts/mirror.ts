/** Files of scripts/ that have no test of their name, and the test that covers each. Paths are below scripts/ and test/. */
const rows = {
  'bench.ts': 'e2e/readme',
  'cli/command.ts': 'scripts/mistakes',
  'cli/run-tool.ts': 'e2e/newcomer',
  'cli/shortened.ts': 'scripts/generate/format-changes',
  'cli/with-store.ts': 'scripts/transfer',
  'cli/write-lines.ts': 'docs/changing-stored-data',
  'coverage.ts': 'scripts/coverage/gate',
  'coverage/v8-coverage.ts': 'scripts/coverage/uncovered-lines',
  'dev.ts': 'scripts/dev/develop',
  'dev/child-environment.ts': 'scripts/dev/develop',
  'dev/contract-step.ts': 'scripts/dev/develop',
  'dev/format-log-line.ts': 'scripts/dev/develop',
  'dev/port-handover.ts': 'scripts/dev/develop',
  'dev/preload-packages.ts': 'scripts/dev/develop',
  'dev/preload.ts': 'scripts/dev/develop',
  'dev/server-process.ts': 'scripts/dev/signals',
  'dev/servers.ts': 'scripts/dev/develop',
  'dev/typecheck.ts': 'scripts/dev/develop',
  'docs-environment.ts': 'e2e/readme',
  'export.ts': 'scripts/transfer',
  'generate/progress-thread.ts': 'scripts/generate/run',
  'generate/file-problems.ts': 'scripts/generate/run',
  'generate/handler-wiring.ts': 'scripts/generate/missing-handlers',
  'generate/print-run.ts': 'scripts/generate',
  'generate/watch.ts': 'scripts/generate',
  'generate/write-stubs.ts': 'scripts/generate/missing-handlers',
  'import.ts': 'scripts/transfer',
  'lint.ts': 'e2e/readme',
  'store-check.ts': 'docs/changing-stored-data',
  'test/order.ts': 'scripts/test',
  'test/run-test-files.ts': 'scripts/test',
  'test/test-result.ts': 'scripts/test',
  'typecheck.ts': 'e2e/newcomer',
  'watch/snapshot.ts': 'scripts/watch/file-watcher'
} as const

export const scriptsCoveredBy: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(rows).map(([script, test]) => [`scripts/${script}`, `test/${test}.test.ts`])
)
