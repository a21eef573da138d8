/** The entry: starts the service, and ends it on SIGTERM when every request is answered. */
import { runMain } from '@contract-first/service'
import manifest from '../package.json' with { type: 'json' }

await runMain({
  manifest,
  // {{tokens}}
  defaults: { DATABASE_URL: 'sqlite:data/{{name}}.db' },
  contract: async () => (await import('../generated/contract.ts')).default,
  service: async () => (await import('./app.ts')).default
})
