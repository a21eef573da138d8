/** The log of a Fastify without a logger: warnings and errors on standard error, so that a 500 says its reason. */
import { format } from 'node:util'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readableText } from './callbacks.ts'
import { propertyOf } from './failure.ts'

type Line = [fields: unknown, text?: unknown, ...values: unknown[]]

const ignored = () => undefined

/** Writes lines for people. An error has its stack only: other properties of it may hold credentials. */
const standardErrorLog: FastifyBaseLogger = {
  level: 'warn',
  child: () => standardErrorLog,
  fatal: write,
  error: write,
  warn: write,
  info: ignored,
  debug: ignored,
  trace: ignored,
  silent: ignored
}

/**
 * Returns the log of an instance, and `standardErrorLog` for one without a logger: Fastify's own placeholder is the only
 * logger without a level.
 */
export const logOf = ({ log }: FastifyInstance): FastifyBaseLogger =>
  log.level === undefined ? standardErrorLog : log

const requestLogKey = Symbol('log')

declare module 'fastify' {
  interface FastifyInstance {
    /** Log of the requests to an instance without a logger. */
    [requestLogKey]?: FastifyBaseLogger
  }
}

/**
 * Gives the engine `standardErrorLog` for the requests to an instance without a logger. A property, because a
 * factory of Fastify's loggers, whose results it checks at each request, costs 5 % of a small one.
 */
export function logRequests(app: FastifyInstance): void {
  if (logOf(app) === standardErrorLog && !app.hasDecorator(requestLogKey))
    app.decorate(requestLogKey, standardErrorLog)
}

/** Returns the log of what the engine says of a request. */
export const requestLog = ({ log, server }: FastifyRequest | FastifyReply): FastifyBaseLogger =>
  server[requestLogKey] ?? log

function write(...line: Line): void {
  const [first, ...others] = line
  const isText = typeof first !== 'object' || first === null
  const fields = isText ? {} : first instanceof Error ? { err: first } : { ...first }
  const lines = [...headline(fields, isText ? line : others), ...details(fields)]
  console.error(printable(lines.join('\n').replaceAll('\n', '\n    ')))
}

interface Fields {
  readonly [name: string]: unknown
  readonly err?: unknown
  readonly operationId?: unknown
}

function headline({ operationId }: Fields, texts: readonly unknown[]): readonly string[] {
  if (texts.length === 0) return []
  const text = format(...texts)
  return [typeof operationId !== 'string' || text.startsWith(operationId) ? text : `${operationId}: ${text}`]
}

/** Returns lists of a line, and the stack of its error; none of a response that breaks the contract: its text says all. */
function details({ err, failure, ...others }: Fields): readonly string[] {
  const lists = Object.values(others).filter((value): value is unknown[] => Array.isArray(value))
  const items = lists.flat().filter((item) => typeof item === 'string')
  return err === undefined || failure === 'response-mismatch' ? items : [...items, ...stacks(err)]
}

/** Most errors of a chain of causes. */
const maxCauses = 5

function stacks(error: unknown): readonly string[] {
  const found: string[] = []
  for (let cause = error; cause !== undefined && found.length < maxCauses; cause = propertyOf(cause, 'cause'))
    found.push(readableText(() => (cause instanceof Error ? cause.stack : cause)))
  return found
}

/** Escapes what a terminal interprets: an error may quote a request. */
const printable = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, (character) => JSON.stringify(character).slice(1, -1))
