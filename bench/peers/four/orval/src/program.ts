import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { HTTPException } from 'hono/http-exception'
import api from './api'
import { token } from './notes'

const app = new Hono()
app.onError((error, c) => {
  const code = error instanceof HTTPException ? error.status : 500
  return c.json({ code, message: code < 500 ? error.message : 'failed' }, code)
})
app.notFound((c) => c.json({ code: 404, message: 'no such path' }, 404))
app.use(bearerAuth({ token, noAuthenticationHeader: { message: { code: 401, message: 'no valid token' } } }))
app.route('/', api)
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT']) })
