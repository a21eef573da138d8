import { defineConfig } from 'orval'

export default defineConfig({
  notes: {
    input: { target: './openapi.yaml' },
    output: {
      mode: 'split',
      client: 'hono',
      target: 'src/api.ts',
      override: {
        hono: { handlers: 'src/handlers' },
        zod: { coerce: { param: ['number'], query: ['number'] } }
      }
    }
  }
})
