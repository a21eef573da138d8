/** A contract of one file is as the bundler leaves it, without the bundler where that has nothing to do. */
import t from 'tap'
import { SourceFile } from '../../../src/contract/diagnostics/source-file.ts'
import { bundleInPlace, replaceByTarget } from '../../../src/contract/load/bundle.ts'
import { ContractFolder } from '../../../src/contract/load/contract-folder.ts'
import { FileResolver } from '../../../src/contract/load/file-resolver.ts'
import { checkStructure } from '../../../src/contract/load/structure.ts'

const to = (pointer: string) => ({ $ref: `#/components/${pointer}` })
const text = { type: 'string' }
const union = (discriminator: unknown) => ({ oneOf: [to('schemas/A'), to('schemas/B')], discriminator })

interface Row {
  readonly what: string
  readonly schema?: unknown
  /** Members of the media type beside its schema. */
  readonly media?: unknown
  readonly isBundled: boolean
}

const rows: readonly Row[] = [
  { what: 'references to components', schema: to('schemas/A'), isBundled: true },
  {
    what: 'a reference in the place of an example',
    schema: { ...text, example: { summary: 'own', ...to('x-data/object') } },
    isBundled: true
  },
  { what: 'a text in that place', schema: { ...text, example: to('x-data/text') }, isBundled: false },
  { what: 'a chain in that place', schema: { ...text, example: to('x-data/chain') }, isBundled: false },
  {
    what: 'a reference to the file',
    schema: { $ref: 'contract.json#/components/schemas/A' },
    isBundled: false
  },
  { what: 'a broken reference', schema: to('schemas/C'), isBundled: true },
  {
    what: 'an external example',
    media: { examples: { one: { externalValue: '#/components/x-data/object' } } },
    isBundled: false
  },
  {
    what: 'a mapping by pointers and names',
    schema: union({ propertyName: 'kind', mapping: { a: '#/components/schemas/A', b: 'B' } }),
    isBundled: true
  },
  {
    what: 'a mapping by files',
    schema: union({ propertyName: 'kind', mapping: { a: 'contract.json#/components/schemas/A' } }),
    isBundled: false
  },
  {
    what: 'a default mapping',
    schema: union({ propertyName: 'kind', defaultMapping: '#/components/schemas/A' }),
    isBundled: false
  }
]

const own = {
  schemas: { A: { ...text, description: 'A' }, B: text },
  'x-data': {
    object: { $id: 'an id', summary: 'other', value: [1] },
    text: 'a text',
    chain: { ...to('x-data/object'), summary: 'chained' }
  }
}

const documentOf = ({ schema = text, media = {} }: Row) => {
  const content = { 'application/json': { schema, ...Object(media) } }
  const operation = { responses: { 200: { description: 'OK', content } } }
  const document = {
    openapi: '3.2.0',
    info: { title: 'Things', version: '1' },
    paths: { '/things': { get: operation } },
    components: own
  }
  return new SourceFile('/contract.json', JSON.stringify(document))
}

for (const row of rows)
  t.test(`${row.what}: the bundler ${row.isBundled ? 'is not needed' : 'runs'}`, async (t) => {
    const [document, bundled] = [documentOf(row), documentOf(row)]
    const resolverOf = (root: SourceFile) => {
      const folder = new ContractFolder('/')
      const resolver = new FileResolver({ contract: '/contract.json', folder, onFile: () => {} })
      resolver.documents.set('/contract.json', Promise.resolve(root))
      return resolver
    }
    const structure = await checkStructure(document, '3.2', resolverOf(document))
    t.equal(structure.isUnbundled, !row.isBundled)
    if (row.isBundled) for (const path of structure.inlined) replaceByTarget(Object(document.value), path)
    else await bundleInPlace(document, resolverOf(document))
    t.strictSame(await bundleInPlace(bundled, resolverOf(bundled)), [])
    t.strictSame(JSON.stringify(document.value), JSON.stringify(bundled.value))
  })
