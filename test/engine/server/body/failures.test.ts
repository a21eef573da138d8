import t from 'tap'
import { MalformedJson } from '../../../../src/engine/json/parse.ts'
import { malformedBody } from '../../../../src/engine/server/body/failures.ts'

t.test('an error of the JSON parser becomes a failure, any other error is rethrown', async (t) => {
  t.match(malformedBody(new MalformedJson('is not valid JSON')), {
    failure: { code: 'malformed-body', message: 'the body is not valid JSON' }
  })
  const bug = new TypeError('internal')
  t.equal(malformedBody(bug), bug)
})
