import t from 'tap'
import { compiled, request, serve } from '../../serve.ts'
import { document, handlers, shaped } from './failing-contract.ts'

const contract = await compiled(t, document)

t.test('a warning at boot lists operation, status and place of each unfit error body', async (t) => {
  const { ask, log } = await serve(t, contract, { handlers, errorBody: shaped })
  const warning = log.find(({ level }) => level === 40)
  t.match(warning, {
    msg: 'errorBody does not fit what these operations declare',
    operations: ['narrow 400: body/impossible is required'],
    count: 1
  })
  const got = await ask(request('POST /narrow', '5'))
  t.match([got.status, got.value], [400, { type: 'mismatch', status: 400 }], 'the status stays')
  t.equal(got.headers.get('content-type'), 'application/json')
  t.ok(
    log.some(
      ({ level, msg, operationId }) =>
        level === 40 && operationId === 'narrow' && /^the error body breaks the contract: /.test(String(msg))
    )
  )
})

t.test('a refusal keeps its status when no error body fits', async (t) => {
  const { ask, log } = await serve(t, contract, { handlers, errorBody: () => ({ other: 'shape' }) })
  const warning = log.find(({ level }) => level === 40)
  t.ok(Number(warning?.['count']) > 10)
  const listed = ([] as unknown[]).concat(warning?.['operations'])
  t.ok(listed.some((each) => String(each).startsWith('shaped 400: body/type is required')))
  const got = await ask(request('POST /shaped', '{'))
  t.same(
    [got.status, got.value, got.headers.get('content-type')],
    [400, { other: 'shape' }, 'application/problem+json']
  )
})

t.test('a warning at boot reports an errorBody that throws or returns no body', async (t) => {
  const failing = () => {
    throw new Error('secret')
  }
  for (const [errorBody, reason] of [
    [failing, 'errorBody fails'],
    [() => undefined, 'errorBody makes no body']
  ] as const) {
    const { log } = await serve(t, contract, { handlers, errorBody })
    const listed = log.find(({ level }) => level === 40)?.['operations']
    t.ok(([] as unknown[]).concat(listed).includes(`shaped 400: ${reason}`))
  }
})
