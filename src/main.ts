/** Entry of the process. The service is defined in app.ts. */
import { setSourceMapsSupport } from 'node:module'
import manifest from '../package.json' with { type: 'json' }
import { variables } from './plants/product.ts'
import { tuneV8 } from './process.ts'

// Stack traces of dist/ name the sources. The option --enable-source-maps does the same for an eighth of a start.
setSourceMapsSupport(true)

const { runMain } = await import('@contract-first/service').catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write('the package @contract-first/service is not installed: run "npm ci"\n')
  process.exit(1)
})

await runMain({
  manifest,
  ...variables,
  contract: async () => (await import('../generated/contract.ts')).default,
  service: async () => (await import('./app.ts')).plantStore
})
tuneV8()
