/** The correct desk in different frameworks: each routes, reads bodies, negotiates and refuses in its own way. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { Desk, type DeskAnswer } from './desk.ts'
import { deskServer } from './desk-server.ts'
import { expressWithValidator, fastifyWithGlue } from './validator-kits.ts'

// biome-ignore lint/suspicious/noExplicitAny: packages that may be absent have no types here
type Any = any
/** Loads a package; several of these are installed for a run only. */
type Load = (name: string) => Any
type Answer = (method: string, url: string, headers: IncomingMessage['headers'], body: string) => DeskAnswer
type Kit = (answer: Answer, load: Load) => Server | Promise<Server>

const answerer = (): Answer => {
  const desk = new Desk()
  return (method, url, headers, body) => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    return desk.answer({ method, path: pathname, query: searchParams, headers, body })
  }
}

function write(
  response: ServerResponse,
  { status, headers, body, isOpen }: Omit<DeskAnswer, 'headers'> & { readonly headers?: object | undefined }
): void {
  response.writeHead(status, { ...headers })
  if (isOpen === true) response.write(String(body))
  else response.end(body)
}

const paths = ['/tickets', '/tickets/:id', '/tickets/:id/comments', '/login', '/events', '/search']
const textOf = async (request: IncomingMessage) =>
  String(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)))

/** A body that never ends, after the text. */
const open = (text: string) =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) })

/** A server of functions from Request to Response, as Hono, Deno, Bun and edge platforms have. */
function fetchResponse({ status, headers, body, isOpen }: DeskAnswer): Response {
  return new Response(isOpen === true ? open(String(body)) : (body ?? null), {
    status,
    headers: { ...headers }
  })
}

async function fetched(request: Request, answer: Answer): Promise<Response> {
  const body = request.method === 'GET' ? '' : await request.text()
  return fetchResponse(answer(request.method, request.url, Object.fromEntries(request.headers), body))
}

/** Kits whose packages a clone of this project has. */
export const kits: Readonly<Record<string, Kit>> = {
  'node:http': () => deskServer(),
  'node:http behind a proxy that compresses, and has headers of its own': (answer) =>
    createServer(async (request, response) => {
      const given = answer(
        String(request.method),
        String(request.url),
        request.headers,
        await textOf(request)
      )
      const own = { via: '1.1 proxy', 'x-request-id': '7', 'set-cookie': ['a=1', 'b=2'], vary: 'accept' }
      const isCoded = given.isOpen !== true && given.body !== undefined
      const coding = isCoded ? { 'content-encoding': 'gzip' } : {}
      const headers = { ...own, ...given.headers, ...coding }
      if (!isCoded) return write(response, { ...given, headers })
      return response.writeHead(given.status, headers).end(gzipSync(String(given.body)))
    }),
  Express: (answer, load) => {
    const express = load('express')
    const app = express()
    app.use(express.text({ type: () => true, limit: '1mb' }))
    for (const path of paths)
      app.route(path).all((request: Any, response: Any) => {
        const body = typeof request.body === 'string' ? request.body : ''
        write(response, answer(request.method, request.originalUrl, request.headers, body))
      })
    app.use((_error: unknown, _request: unknown, response: Any, _next: unknown) =>
      response.status(400).json({ message: 'refused' })
    )
    return createServer(app)
  },
  Fastify: async (answer, load) => {
    const app = load('fastify')({ routerOptions: { maxParamLength: 10_000 }, exposeHeadRoutes: false })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request: unknown, body: string, done: Any) =>
      done(null, body)
    )
    for (const url of paths)
      app.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        handler: (request: Any, reply: Any) => {
          const given = answer(request.method, request.url, request.headers, request.body ?? '')
          reply.code(given.status).headers(given.headers ?? {})
          if (given.isOpen === true) return reply.send(Readable.fromWeb(open(String(given.body)) as Any))
          return reply.send(given.body)
        }
      })
    app.setErrorHandler((error: Any, _request: unknown, reply: Any) =>
      reply.code(error.statusCode ?? 500).send({ message: error.message })
    )
    await app.ready()
    return app.server
  },
  'Fastify with fastify-openapi-glue': (_answer, load) => fastifyWithGlue(load),
  'find-my-way': (answer, load) => {
    const router = load('find-my-way')({
      maxParamLength: 10_000,
      defaultRoute: (_request: unknown, response: ServerResponse) => response.writeHead(404).end()
    })
    for (const path of paths)
      router.all(path, async (request: IncomingMessage, response: ServerResponse) =>
        write(
          response,
          answer(String(request.method), String(request.url), request.headers, await textOf(request))
        )
      )
    return createServer((request, response) => router.lookup(request, response))
  },
  'Request and Response': (answer) =>
    createServer(async (request, response) => {
      const method = String(request.method)
      const body = await textOf(request)
      const made = new Request(`http://x${request.url}`, {
        method,
        headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ...(body !== '' && method !== 'GET' && { body })
      })
      const { status, headers, body: stream } = await fetched(made, answer)
      response.writeHead(status, Object.fromEntries(headers))
      if (stream === null) response.end()
      else for await (const chunk of stream) response.write(chunk)
      response.end()
    })
}

/** Kits whose packages `node test/conformance/frameworks.ts` installs. */
export const furtherKits: Readonly<Record<string, Kit>> = {
  'Express with express-openapi-validator': (_answer, load) => expressWithValidator(load),
  Koa: (answer, load) => {
    const app = new (load('koa'))()
    // It logs that a client has left a stream.
    app.silent = true
    app.use(async (context: Any) => {
      const body = await textOf(context.req)
      const given = answer(context.method, context.originalUrl, context.headers, body)
      context.status = given.status
      context.set(given.headers ?? {})
      context.body =
        given.isOpen === true ? Readable.fromWeb(open(String(given.body)) as Any) : (given.body ?? null)
      context.status = given.status
    })
    return createServer(app.callback())
  },
  Hono: (answer, load) => {
    const { Hono } = load('hono')
    const app = new Hono()
    app.all('*', (context: Any) => fetched(context.req.raw, answer))
    return load('@hono/node-server').createAdaptorServer({ fetch: app.fetch })
  },
  hapi: async (answer, load) => {
    const server = load('@hapi/hapi').server()
    const handler = (request: Any, h: Any) => {
      const { method, headers, payload, raw } = request
      const given = answer(method.toUpperCase(), String(raw.req.url), headers, payload ? String(payload) : '')
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
  Polka: (answer, load) => {
    const app = load('polka')()
    for (const path of paths)
      app.all(path, async (request: Any, response: ServerResponse) =>
        write(
          response,
          answer(request.method, request.originalUrl ?? request.url, request.headers, await textOf(request))
        )
      )
    return createServer(app.handler)
  },
  h3: (answer, load) => {
    const { createApp, defineEventHandler, toNodeListener } = load('h3')
    const app = createApp()
    app.use(
      defineEventHandler(async ({ node: { req, res } }: Any) =>
        write(res, answer(req.method, req.originalUrl ?? req.url, req.headers, await textOf(req)))
      )
    )
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
export const serverOf = async (kit: Kit, folder: string = import.meta.filename): Promise<Server> =>
  kit(answerer(), createRequire(folder) as Load)
