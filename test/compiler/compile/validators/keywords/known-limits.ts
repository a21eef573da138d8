/**
 * Verdicts of the specification that the compiled validators miss; the test asserts the wrong verdict, so that a fix
 * shows. `$vocabulary` is ignored too: every vocabulary applies.
 */
import type { Table } from './table.ts'

export const knownLimits: Table = {
  'an $id counts in keywords that are not known': [
    {
      about: 'it hides the schema with that $id',
      schema: {
        $id: 'https://rows.example/outside',
        $defs: {
          palette: { colours: { $id: 'https://rows.example/inside', type: 'null' } },
          real: { $id: 'https://rows.example/inside', type: 'string' }
        },
        $ref: 'https://rows.example/inside'
      },
      takes: ['"a"'],
      refuses: ['null']
    }
  ]
}
