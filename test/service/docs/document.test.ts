import { test } from 'tap'
import { calledUrls, resolve } from '../../../src/service/docs/document.ts'

test('a page may call the origins of tokens and of servers, each once', async (t) => {
  const flows = {
    implicit: { authorizationUrl: 'https://window.example/a' },
    password: { tokenUrl: 'https://login.example/token?x=1', refreshUrl: 'https://refresh.example/' },
    deviceAuthorization: { deviceAuthorizationUrl: 'https://device.example/', tokenUrl: '/token' }
  }
  const document = {
    servers: [
      { url: '/v1' },
      { url: 'HTTPS://API.example:8443/v1' },
      { url: 'https://{region}.example' },
      { url: 'http://[' },
      { url: 'https://login.example' }
    ],
    components: {
      securitySchemes: {
        oauth: { type: 'oauth2', flows },
        oidc: {
          type: 'openIdConnect',
          openIdConnectUrl: 'http://oidc.example/.well-known/openid-configuration'
        },
        key: { type: 'apiKey' }
      }
    }
  }
  t.strictSame(calledUrls(document), [
    'https://login.example',
    'https://refresh.example',
    'https://device.example',
    'http://oidc.example',
    'https://api.example:8443'
  ])
  t.strictSame(calledUrls({}), [])
})

test('a reference is followed from node to node', async (t) => {
  const document = { a: { 'b/~c d': [1, 2] } }
  t.strictSame(resolve(document, '#/a/b~1~0c%20d/1'), [document, document.a, [1, 2], 2])
  t.strictSame(resolve(document, '#/x/y'), [document, undefined, undefined])
  for (const other of [undefined, 'a.yaml#/a', 3]) t.strictSame(resolve(document, other), [])
})
