import t from 'tap'
import { negotiate } from '../../../src/engine/model/accept.ts'

t.test('negotiate', async (t) => {
  const json = 'application/json'
  const rows: [string | undefined, string[], number][] = [
    [undefined, [json, 'text/plain'], 0],
    ['', [json], 0],
    [' , ,', [json], 0],
    ['*/*', ['text/plain', json], 0],
    ['application/json', ['text/plain', json], 1],
    ['APPLICATION/*', ['text/plain', json], 1],
    ['text/plain;q=0.5, application/json', ['text/plain', json], 1],
    ['text/plain;q=0.5, application/json;q=0.5', ['text/plain', json], 0],
    ['text/*;q=0.3, text/plain;q=0.7, */*;q=0.5', ['text/html', 'text/plain', 'image/png'], 1],
    ['text/*;q=0.3, */*;q=0.5', ['text/html', 'image/png'], 1],
    ['*/*, application/json;q=0', [json], -1],
    ['*/*;q=0.1, application/json;q=0', [json, 'text/plain'], 1],
    ['text/html', [json], -1],
    ['text/html', [], -1],
    ['*/*;Q=0', [json], -1],
    ['text/html;level=1', ['text/html'], -1],
    ['text/html;level=1', ['text/html;level=2', 'text/html; level="1"'], 1],
    ['text/html;level=1;q=0.2, text/html;q=0.4', ['text/html;level=1', 'text/html'], 1],
    ['text/html;q=0.9;level=1', ['text/html'], 0],
    ['application/json; charset=utf-8', [json], 0],
    ['application/json; charset=latin1', [json], -1],
    ['text/html', ['application/json; charset=utf-8', 'text/html; charset=utf-8'], 1],
    ['image/png', [json, 'image/*'], 1],
    ['image/png', ['*/*'], 0],
    ['a/b;x=","', ['a/b; x=","'], 0],
    ['text/html;q=2', [json], 0],
    ['text/html;q=0.1234', [json], 0],
    ['text/html;q=', [json], 0],
    ['nonsense', [json], 0],
    ['text/html text/plain', [json], 0],
    ['text/html', ['nonsense'], -1],
    [`${'a/b,'.repeat(50_000)}c/d`, [json], -1]
  ]
  for (const [accept, offered, want] of rows)
    t.equal(negotiate(accept, offered), want, `${accept?.slice(0, 60)} of ${offered}`)
})
