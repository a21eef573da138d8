/**
 * Files of scripts/ without a test of their name, each with the test that covers it. Paths are below scripts/ and
 * test/.
 */
const rows = {
  'pack.ts': 'projects/packages',
  'bench.ts': 'e2e/readme',
  'bundle/build-bundle.ts': 'scripts/start',
  'cli/run-tool.ts': 'e2e/newcomer',
  'cli/with-store.ts': 'scripts/transfer',
  'coverage/measured.ts': 'scripts/coverage/gate',
  'coverage/v8-coverage.ts': 'scripts/coverage/uncovered-lines',
  'docs-environment.ts': 'e2e/readme',
  'docs-page.ts': 'e2e/readme',
  'export.ts': 'scripts/transfer',
  'import.ts': 'scripts/transfer',
  'lint.ts': 'e2e/readme',
  'store-check.ts': 'docs/changing-stored-data',
  'test/bundle-tap.ts': 'scripts/test',
  'test/empty-full-cache.ts': 'scripts/test',
  'test/order.ts': 'scripts/test',
  'test/repeat.ts': 'scripts/test',
  'test/run-test-files.ts': 'scripts/test',
  'test/run-tests.ts': 'scripts/coverage/gate',
  'test/test-result.ts': 'scripts/test',
  'test/faster-tap.ts': 'scripts/test',
  'typecheck.ts': 'e2e/newcomer',
  'generate.ts': 'compiler/command/generate',
  'dev.ts': 'compiler/command/dev/develop',
  'mock.ts': 'compiler/command/mock/run-mock',
  'new.ts': 'compiler/command/new/run',
  'conformance.ts': 'compiler/command/conformance',
  'contract-diff.ts': 'scripts/mistakes'
} as const

export const scriptsCoveredBy: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(rows).map(([script, test]) => [`scripts/${script}`, `test/${test}.test.ts`])
)
