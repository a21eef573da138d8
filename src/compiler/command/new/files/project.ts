/** Every file of a new project except its contract, generated code, packages and lock file. */

import { containerFiles } from './container.ts'
import { failuresText } from './failures.ts'
import { type Files, handlerFiles } from './handlers.ts'
import type { Manifest } from './manifest.ts'
import type { ProjectPlan } from './plan.ts'
import { readmeText } from './readme.ts'
import { serviceFiles } from './service.ts'
import { settingsFiles } from './settings.ts'
import { testFiles } from './tests.ts'

export function projectFiles(plan: ProjectPlan, manifest: Manifest): Files {
  return [
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['README.md', readmeText(plan)],
    ...settingsFiles(plan.contract),
    ...containerFiles(plan.name, plan.contract),
    ...serviceFiles(plan),
    ...handlerFiles(plan.handlers),
    ['src/failures.ts', failuresText(plan.scaffold.errors, plan.contract)],
    ...testFiles(plan)
  ]
}
