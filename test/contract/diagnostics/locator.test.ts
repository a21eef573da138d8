/** A problem of a member that no file holds is located at the start of the contract. */
import { Source } from '@redocly/openapi-core'
import t from 'tap'
import { Locator } from '../../../src/contract/diagnostics/locator.ts'

t.test('a node of no file is at the beginning of the root file', async (t) => {
  const source = new Source('/contract/openapi.yaml', '# a comment\nopenapi: 3.1.0\n')
  const locator = new Locator({ path: source.absoluteRef, source, parsed: { openapi: '3.1.0' } }, [])
  const { file, pointer, line, column } = locator.origin({ made: 'up' })
  t.strictSame(
    { file, pointer, line, column },
    { file: '/contract/openapi.yaml', pointer: '#', line: 2, column: 1 }
  )
})
