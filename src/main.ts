/** The entry of the process. What this service does is in app.ts. */
import manifest from '../package.json' with { type: 'json' }
import { variables } from './plants/product.ts'
import { runMain } from './service/service.ts'

await runMain({
  manifest,
  ...variables,
  contract: async () => (await import('../generated/contract.ts')).default,
  service: async () => (await import('./app.ts')).plantStore
})
