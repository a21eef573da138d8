/** Installs the packages of test/packages/ before the tests that need them, because it may take longer than a test may. */
import { importersOf } from '../../test/imports.ts'
import { installedPackages } from '../../test/installed-packages.ts'

/** @param tests paths of test files in the project */
export async function installPackagesFor(tests: readonly string[]): Promise<void> {
  const needing = importersOf('test/installed-packages.ts')
  if (tests.some((test) => needing.has(test))) await installedPackages()
}
