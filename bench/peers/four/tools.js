/**
 * The tools that serve openapi.yaml of this folder, each with the program that its own documentation suggests, an error
 * handler that writes the contract's Error, and a check of the token.
 *
 * `packages` and `developmentPackages` are npm specifiers, `generate` and `watch` are commands. `edits` are the edits of
 * `cases.js`, as [file, text, replacement], where they differ from tool to tool. `fill` completes generated files.
 */
const node = ['node']
const tsx = ['node', '--import', 'tsx']
const common = ['typescript@5.9.3', '@types/node@26.6.6']
const main = 'src/main.ts'

/** Fastify without schemas. */
export const bare = { packages: ['fastify@5.12.8'], developmentPackages: [], node }

export const toolsOf = (tarball) => ({
  here: {
    packages: [tarball('engine'), 'fastify@5.12.8'],
    developmentPackages: [...['compiler', 'contract', 'service'].map(tarball), ...common],
    generate: ['contract', 'generate'],
    node,
    watch: [['contract', 'dev']],
    edits: {
      status: [main, 'status: 201', 'status: 202'],
      token: [main, /\n.*security: .*/, '']
    }
  },
  'hey-api': {
    title: '@hey-api/openapi-ts 0.99.0, fastify-openapi-glue 4.11.4',
    packages: ['fastify@5.12.8', 'fastify-openapi-glue@4.11.4'],
    developmentPackages: ['@hey-api/openapi-ts@0.99.0', ...common],
    generate: ['openapi-ts'],
    node,
    watch: [
      ['openapi-ts', '--watch'],
      ['node', '--watch-path=src', '--watch-path=openapi.yaml', main]
    ],
    edits: {
      status: [main, 'code(201)', 'code(202)'],
      token: [main, /\n *securityHandlers(?=\n)/, '']
    }
  },
  orval: {
    title: 'orval 8.38.0, hono 4.13.19',
    packages: ['hono@4.13.19', '@hono/node-server@2.1.9', '@hono/zod-validator@0.9.1', 'zod@4.6.7'],
    developmentPackages: ['orval@8.38.0', 'tsx@4.23.15', ...common],
    generate: ['orval'],
    node: tsx,
    watch: [
      ['orval', '--watch', './openapi.yaml'],
      ['tsx', 'watch', main]
    ],
    fill: {
      listNotes: "c.json(notes.list(c.req.valid('query').limit ?? 20), 200)",
      createNote: "c.json(notes.add(c.req.valid('json')), 201)",
      getNote: "c.json(found(notes.get(c.req.valid('param').id)), 200)",
      changeNote: "c.json(found(notes.change(c.req.valid('param').id, c.req.valid('json'))), 200)"
    },
    edits: {
      status: ['src/handlers/createNote.ts', ', 201)', ', 202)'],
      token: [main, /\napp\.use\(bearerAuth.*/, '']
    }
  },
  typebox: {
    title: '@fastify/type-provider-typebox 6.3.0',
    packages: ['fastify@5.12.8', '@fastify/type-provider-typebox@6.3.0', 'typebox@1.4.3'],
    developmentPackages: common,
    node,
    watch: [['node', '--watch', main]],
    edits: {
      operation: undefined,
      older: undefined,
      rename: [main, /(?<=NewNote.*|SentNote.*\n.*)\btitle,/g, 'heading: title,'],
      limit: [main, 'maximum: 100', 'maximum: 5'],
      status: [main, 'code(201)', 'code(202)'],
      token: [main, /\napp\.addHook\(.*\n.*\n}\)/, '']
    }
  }
})
