/**
 * The desk behind validators of other projects, each with what had to be set so that it keeps its contract. Without these
 * settings the findings of conformance are right.
 */
import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { load as loadYaml } from 'js-yaml'
import type { DeskAnswer } from './desk.ts'
import { isAuthorized, jsonAnswer, ticketService } from './ticket-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: packages that may be absent have no types here
type Any = any
type Load = (name: string) => Any

const apiSpec = join(import.meta.dirname, 'desk.yaml')

/** A body that never ends, after the text. */
const open = (text: string) => Readable.from([text, new Promise(() => undefined)])

const isNumber = (text: unknown) =>
  typeof text === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)

function write(response: ServerResponse, { status, headers, body, isOpen }: DeskAnswer): void {
  response.writeHead(status, { ...headers })
  if (isOpen === true) response.write(String(body))
  else response.end(body)
}

export async function expressWithValidator(load: Load): Promise<Server> {
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
    const given: DeskAnswer =
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

export async function fastifyWithGlue(load: Load): Promise<Server> {
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
      return reply.send(given.isOpen === true ? open(String(given.body)) : given.body)
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
