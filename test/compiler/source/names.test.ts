import t from 'tap'
import {
  fileName,
  identifier,
  numberedFile,
  numberedIdentifier,
  UniqueNames
} from '../../../src/compiler/source/names.ts'

const rows: readonly [text: string, file: string, name: string][] = [
  ['listThings', 'list-things', 'listThings'],
  ['things.list', 'things-list', 'thingsList'],
  ['get_HTTPStatus', 'get-http-status', 'getHttpStatus'],
  ['Lager & Bestände', 'lager-bestande', 'lagerBestande'],
  ['列車', 'operation', 'operation'],
  ['', 'operation', 'operation'],
  ['3d/models', '3d-models', 'operation3dModels'],
  ['../../etc/passwd', 'etc-passwd', 'etcPasswd'],
  ['CON', 'con-operation', 'con'],
  ['Com1', 'com1-operation', 'com1'],
  ['delete', 'delete', 'deleteOperation'],
  ['await', 'await', 'awaitOperation'],
  ['fetch', 'fetch', 'fetchOperation'],
  ['constructor', 'constructor', 'constructorOperation'],
  ['toString', 'to-string', 'toStringOperation'],
  ['__proto__', 'proto', 'proto']
]

t.test('any text becomes the name of a file and of a function', async (t) => {
  for (const [text, file, name] of rows) {
    t.equal(fileName(text, 'operation'), file, text)
    t.equal(identifier(text, 'operation'), name, text)
  }
  t.equal(fileName('x'.repeat(300), 'operation').length, 80)
})

t.test('a name is given out once, also where a file system ignores case', async (t) => {
  const files = new UniqueNames()
  t.strictSame(
    ['list', 'List', 'LIST', 'list-2', 'get'].map((name) => files.take(name, numberedFile)),
    ['list', 'List-2', 'LIST-3', 'list-2-2', 'get']
  )
  t.equal(new UniqueNames(['handlers']).take('handlers', numberedIdentifier), 'handlers2')
})
