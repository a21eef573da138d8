/**
 * The correct desk in different frameworks: each routes, reads bodies, negotiates and refuses in its own way. Two have
 * validators of their own, with what had to be set so that they keep the contract: without these settings the findings of
 * conformance are right.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { load as loadYaml } from 'js-yaml'
import {
  type Answer,
  correctServer,
  httpServer,
  isAuthorized,
  isNumber,
  jsonAnswer,
  ticketService,
  write
} from './correct-servers.ts'

// biome-ignore lint/suspicious/noExplicitAny: packages that may be absent have no types here
type Any = any
/** Loads a package; several of these are installed for a run only. */
type Load = (name: string) => Any
type Ask = (method: string, url: string, headers: IncomingMessage['headers'], body: string) => Promise<Answer>
type Kit = (ask: Ask, load: Load) => Server | Promise<Server>

const apiSpec = join(import.meta.dirname, 'desk.yaml')
const paths = ['/tickets', '/tickets/:id', '/tickets/:id/comments', '/login', '/events', '/search']

/** A body that never ends, after the text. */
const open = (text: string) =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) })
const openStream = (text: string) => Readable.fromWeb(open(text) as Any)

/** A server of functions from Request to Response, as Hono, Deno, Bun and edge platforms have. */
function fetchResponse({ status, headers, body, isOpen }: Answer): Response {
  return new Response(isOpen === true ? open(String(body)) : (body ?? null), {
    status,
    headers: { ...headers }
  })
}

/** Returns the answer to a request, as it was sent: routers shorten its URL. */
const answerTo = async (ask: Ask, request: IncomingMessage & { readonly originalUrl?: string }) => {
  const { method, originalUrl, url, headers } = request
  return ask(String(method), originalUrl ?? String(url), headers, await textOf(request))
}

async function fetched(request: Request, ask: Ask): Promise<Response> {
  const body = request.method === 'GET' ? '' : await request.text()
  return fetchResponse(await ask(request.method, request.url, Object.fromEntries(request.headers), body))
}

/** Kits whose packages a clone of this project has. */
export const kits: Readonly<Record<string, Kit>> = {
  'node:http': () => httpServer('desk'),
  'node:http behind a proxy that compresses, and has headers of its own': (ask) =>
    createServer(async (request, response) => {
      const given = await answerTo(ask, request)
      const own = { via: '1.1 proxy', 'x-request-id': '7', 'set-cookie': ['a=1', 'b=2'], vary: 'accept' }
      for (const [name, value] of Object.entries(own)) response.setHeader(name, value)
      const { status, headers, body, isOpen } = given
      if (isOpen === true || body === undefined) return write(response, given)
      return response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(body))
    }),
  Express: (ask, load) => {
    const express = load('express')
    const app = express()
    app.use(express.text({ type: () => true, limit: '1mb' }))
    for (const path of paths)
      app.route(path).all(async (request: Any, response: Any) => {
        const body = typeof request.body === 'string' ? request.body : ''
        write(response, await ask(request.method, request.originalUrl, request.headers, body))
      })
    app.use((_error: unknown, _request: unknown, response: Any, _next: unknown) =>
      response.status(400).json({ message: 'refused' })
    )
    return createServer(app)
  },
  Fastify: async (ask, load) => {
    const app = load('fastify')({ routerOptions: { maxParamLength: 10_000 }, exposeHeadRoutes: false })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request: unknown, body: string, done: Any) =>
      done(null, body)
    )
    for (const url of paths)
      app.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        handler: async (request: Any, reply: Any) => {
          const given = await ask(request.method, request.url, request.headers, request.body ?? '')
          reply.code(given.status).headers(given.headers ?? {})
          if (given.isOpen === true) return reply.send(openStream(String(given.body)))
          return reply.send(given.body)
        }
      })
    app.setErrorHandler((error: Any, _request: unknown, reply: Any) =>
      reply.code(error.statusCode ?? 500).send({ message: error.message })
    )
    await app.ready()
    return app.server
  },
  'Fastify with fastify-openapi-glue': (_ask, load) => fastifyWithGlue(load),
  'find-my-way': (ask, load) => {
    const router = load('find-my-way')({
      maxParamLength: 10_000,
      defaultRoute: (_request: unknown, response: ServerResponse) => response.writeHead(404).end()
    })
    for (const path of paths)
      router.all(path, async (request: IncomingMessage, response: ServerResponse) =>
        write(response, await answerTo(ask, request))
      )
    return createServer((request, response) => router.lookup(request, response))
  },
  'Request and Response': (ask) =>
    createServer(async (request, response) => {
      const method = String(request.method)
      const body = await textOf(request)
      const made = new Request(`http://x${request.url}`, {
        method,
        headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ...(body !== '' && method !== 'GET' && { body })
      })
      const { status, headers, body: stream } = await fetched(made, ask)
      response.writeHead(status, Object.fromEntries(headers))
      if (stream === null) response.end()
      else for await (const chunk of stream) response.write(chunk)
      response.end()
    })
}

/** Kits whose packages `node test/conformance/frameworks.ts` installs. */
export const furtherKits: Readonly<Record<string, Kit>> = {
  'Express with express-openapi-validator': (_ask, load) => expressWithValidator(load),
  Koa: (ask, load) => {
    const app = new (load('koa'))()
    // It logs that a client has left a stream.
    app.silent = true
    app.use(async (context: Any) => {
      const given = await answerTo(ask, context.req)
      context.status = given.status
      context.set(given.headers ?? {})
      context.body = given.isOpen === true ? openStream(String(given.body)) : (given.body ?? null)
      context.status = given.status
    })
    return createServer(app.callback())
  },
  Hono: (ask, load) => {
    const { Hono } = load('hono')
    const app = new Hono()
    app.all('*', (context: Any) => fetched(context.req.raw, ask))
    return load('@hono/node-server').createAdaptorServer({ fetch: app.fetch })
  },
  hapi: async (ask, load) => {
    const server = load('@hapi/hapi').server()
    const handler = async (request: Any, h: Any) => {
      const { method, headers, payload, raw } = request
      const given = await ask(
        method.toUpperCase(),
        String(raw.req.url),
        headers,
        payload ? String(payload) : ''
      )
      if (given.isOpen === true) {
        write(raw.res, given)
        return h.abandon
      }
      const response = h.response(given.body ?? '').code(given.status)
      for (const [name, value] of Object.entries(given.headers ?? {})) response.header(name, value)
      return given.body === undefined ? response.type('') : response
    }
    const payload = {
      parse: false,
      output: 'data',
      maxBytes: 1_000_000,
      defaultContentType: 'application/octet-stream'
    }
    server.route({ method: 'GET', path: '/{any*}', handler })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      server.route({ method, path: '/{any*}', handler, options: { payload } })
    await server.initialize()
    return server.listener
  },
  Polka: (ask, load) => {
    const app = load('polka')()
    for (const path of paths)
      app.all(path, async (request: Any, response: ServerResponse) =>
        write(response, await answerTo(ask, request))
      )
    return createServer(app.handler)
  },
  h3: (ask, load) => {
    const { createApp, defineEventHandler, toNodeListener } = load('h3')
    const app = createApp()
    app.use(defineEventHandler(async ({ node: { req, res } }: Any) => write(res, await answerTo(ask, req))))
    return createServer(toNodeListener(app))
  }
}

export const packages = [
  'express@5.2.1',
  'express-openapi-validator@5.6.2',
  'koa@3.3.0',
  'hono@4.13.19',
  '@hono/node-server@2.1.9',
  '@hapi/hapi@21.4.10',
  'polka@0.5.2',
  'h3@1.15.11'
]

/** @param folder folder with the packages; that of this file by default */
export function serverOf(kit: Kit, folder: string = import.meta.filename): Server | Promise<Server> {
  const answer = correctServer('desk')
  const ask: Ask = (method, url, headers, body) => answer({ method, url, headers, body: Buffer.from(body) })
  return kit(ask, createRequire(folder) as Load)
}

async function expressWithValidator(load: Load): Promise<Server> {
  const express = load('express')
  const validator = load('express-openapi-validator')
  const service = ticketService()
  const app = express()
  const verify = (request: Any, _response: unknown, bytes: Buffer) => {
    request.text = String(bytes)
  }
  // It checks only the shape of dates by default, and refuses empty texts in a query, which the schema of `q` allows.
  const spec = loadYaml(readFileSync(apiSpec, 'utf8')) as Any
  spec.paths['/tickets'].get.parameters.find(({ name }: Any) => name === 'q').allowEmptyValue = true
  app.use(express.json({ verify, type: ['application/json', 'application/*+json'], limit: '1mb' }))
  app.use(express.urlencoded({ verify, extended: false, limit: '1mb' }))
  app.use((request: Any, response: Any, next: () => void) => {
    const { url, method, headers, text = '', body } = request
    // Express reads an empty body as `{}`.
    if (text === '' && headers['content-type'] !== undefined && method !== 'GET')
      return response.status(400).json({ message: 'the body is empty' })
    // It answers 415 where an optional body is absent.
    if (url === '/search' && method === 'POST' && text === '' && isAuthorized(headers))
      return write(response, service['search']?.({ url, headers, text }) ?? jsonAnswer(404, {}))
    // It does not convert the fields of a form.
    if (isNumber(body?.stars)) request.body = { ...body, stars: Number(body.stars) }
    return next()
  })
  app.use(
    validator.middleware({
      apiSpec: spec,
      ajvFormats: { mode: 'full' },
      validateSecurity: { handlers: { bearer: ({ headers }: Any) => isAuthorized(headers) } }
    })
  )
  app.use((request: Any, response: Any) => {
    const { url, headers, text = '', openapi } = request
    const given: Answer =
      service[openapi?.schema?.operationId]?.({ url, headers, text }) ??
      jsonAnswer(404, { message: 'no such path' })
    write(response, given)
  })
  app.use((error: Any, _request: unknown, response: Any, _next: unknown) =>
    response
      .status(error.status ?? 500)
      .set(error.headers ?? {})
      .json({ message: error.message })
  )
  return createServer(app)
}

async function fastifyWithGlue(load: Load): Promise<Server> {
  const service = ticketService()
  const app = load('fastify')({ exposeHeadRoutes: false, routerOptions: { maxParamLength: 10_000 } })
  // Fastify converts the values of bodies, takes `null` for a text, and leaves out undeclared properties.
  const [bodies, texts] = [{}, { coerceTypes: 'array' }].map((options) => {
    const ajv = new (load('ajv/dist/2020.js').default)({ strict: false, ...options })
    load('ajv-formats').default(ajv)
    return ajv
  })
  app.setValidatorCompiler(({ schema, httpPart }: Any) =>
    httpPart === 'body'
      ? bodies.compile(schema)
      : texts.compile(httpPart === 'headers' ? lowerCased(schema) : schema)
  )
  const { default: glue } = load('fastify-openapi-glue')
  const parsed = (read: (text: string) => unknown) => (request: Any, text: string, done: Any) => {
    request.text = text
    // An empty body would be `undefined`, and an optional one.
    if (text === '') return done(Object.assign(new Error('the body is empty'), { statusCode: 400 }))
    try {
      return done(null, read(text))
    } catch {
      return done(Object.assign(new Error('malformed'), { statusCode: 400 }))
    }
  }
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', 'application/merge-patch+json'])
    app.addContentTypeParser(type, { parseAs: 'string' }, parsed(JSON.parse))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, parsed(formOf))
  // Ajv converts `+5`, and Fastify has no validator for a body without media type.
  app.addHook('preValidation', async ({ method, url, text, is404, query }: Any) => {
    if (String(query.limit).startsWith('+'))
      throw Object.assign(new Error('limit is not a number'), { statusCode: 400 })
    const needsBody = !is404 && ['POST', 'PUT', 'PATCH'].includes(method) && url !== '/search'
    if (needsBody && text === undefined)
      throw Object.assign(new Error('a body is required'), { statusCode: 400 })
  })
  app.register(glue, {
    specification: apiSpec,
    operationResolver: (operationId: string) => (request: Any, reply: Any) => {
      const { url, headers, text = '' } = request
      const given = service[operationId]?.({ url, headers, text }) ?? jsonAnswer(404, {})
      reply.code(given.status).headers({ ...given.headers })
      return reply.send(given.isOpen === true ? openStream(String(given.body)) : given.body)
    },
    securityHandlers: {
      bearer: (request: Any) => {
        if (!isAuthorized(request.headers)) throw Object.assign(new Error('who?'), { statusCode: 401 })
      }
    }
  })
  app.setErrorHandler((error: Any, _request: unknown, reply: Any) =>
    reply.code(error.statusCode ?? 500).send({ message: error.message })
  )
  // Fastify answers 404 to a method that a path does not declare.
  app.setNotFoundHandler(({ url }: Any, reply: Any) => {
    const methods = methodsOf(url)
    if (methods.length > 0) reply.code(405).header('allow', methods.join(', '))
    else reply.code(404)
    return reply.send({ message: 'no' })
  })
  await app.ready()
  return app.server
}

/** Returns the methods that desk.yaml declares for the path of a URL. */
function methodsOf(url: string): readonly string[] {
  const { paths }: Any = loadYaml(readFileSync(apiSpec, 'utf8'))
  const { pathname } = new URL(url, 'http://x')
  const found = Object.entries(paths).find(([path]) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
  )
  return Object.keys(Object(found?.[1]))
    .filter((name) => name !== 'parameters')
    .map((name) => name.toUpperCase())
}

/** Fastify leaves the names of headers as they are for a validator that is not its own. */
const lowerCased = ({ properties, ...schema }: Any): object => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value])
  )
})

/** Returns the fields; a list of those that are sent twice, which no schema allows. */
const formOf = (text: string): unknown => {
  const sent = new URLSearchParams(text)
  const entries = [...sent].map(([name, value]) => [
    name,
    sent.getAll(name).length > 1 ? sent.getAll(name) : value
  ])
  const form = Object.fromEntries(entries)
  return isNumber(form['stars']) ? { ...form, stars: Number(form['stars']) } : form
}
