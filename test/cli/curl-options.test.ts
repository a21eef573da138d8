import { test } from 'tap'
import { contentTypeOption, dataOption, headerOption, urlArguments } from '../../src/cli/curl-options.ts'

const rows: readonly [what: string, given: string | readonly string[], wanted: string | readonly string[]][] =
  [
    ['a plain URL', urlArguments('http://a:80/b'), ['http://a:80/b']],
    ['an IPv6 address', urlArguments('http://[::1]/a'), ["'http://[::1]/a'"]],
    ['a URL that the shell would interpret', urlArguments('http://a/?b=c&d'), ["'http://a/?b=c&d'"]],
    ['a URL that curl would expand', urlArguments('http://a/[1-9]'), ['--globoff', "'http://a/[1-9]'"]],
    ['a header', headerOption('A', 'b'), ["-H 'A: b'"]],
    ['a header without a value, which curl would leave out', headerOption('A', ''), ["-H 'A;'"]],
    ['a name that curl would read as a file', headerOption('@a', 'b'), []],
    ['a media type', contentTypeOption('text/plain'), '-H "Content-Type: text/plain"'],
    ['a body', dataOption('{}'), "-d '{}'"],
    ['a body that curl would read as a file', dataOption('@a'), "--data-raw '@a'"]
  ]

test('curl gets each part of a request as it is', async (t) => {
  for (const [what, given, wanted] of rows) t.strictSame(given, wanted, what)
})
