import t from 'tap'
import { compiled, request, serve } from '../../serve.ts'
import { document, handlers, shaped } from './failing-contract.ts'

const contract = await compiled(t, document)

t.test('a warning at boot lists the operations that errorBody does not fit', async (t) => {
  const { ask, log } = await serve(t, contract, { handlers, errorBody: shaped })
  const warning = log.find(({ level }) => level === 40)
  t.match(warning, {
    msg: 'errorBody does not fit what these operations declare',
    operations: ['narrow 400'],
    count: 1
  })
  const got = await ask(request('POST /narrow', '5'))
  t.match([got.status, got.value], [500, { type: 'response-mismatch', status: 500 }])
  t.ok(
    log.some(
      ({ level, msg, operationId }) =>
        level === 50 && operationId === 'narrow' && msg === 'the error body breaks the contract'
    )
  )
  const other = await serve(t, contract, { handlers, errorBody: () => ({ other: 'shape' }) })
  t.same((other.log.find(({ level }) => level === 40)?.['count'] as number) > 10, true)
  const none = await other.ask(request('POST /shaped', '{'))
  t.same(
    [none.status, none.body, none.headers.get('content-length')],
    [500, '', '0'],
    'only the status is sent when no body fits'
  )
})
