/** Metrics of the service by the conventions of Prometheus: base units, and labels with few values. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopback, isOwnHost } from '@contract-first/engine/server'
import type { Tracing } from '@contract-first/engine/tracing'
import type { FastifyBaseLogger } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface ObservedCommit {
  /** Number of writes. */
  readonly size: number
  readonly milliseconds: number
  /** Cause of a failure; undefined after success. */
  readonly error: unknown
}

/** Label of a kind of error body, such as its number. */
export type ErrorLabel = number | string

export interface Metrics {
  /**
   * Counts a request.
   * @param operation operationId, or '' outside the contract
   */
  readonly request: (operation: string, status: number, milliseconds: number) => void
  /**
   * Counts an error body.
   * @param error the label of the error body
   */
  readonly refusal: (error: ErrorLabel) => void
  /** Adds the metrics of the store. Called at most once. */
  readonly watchStore: () => ReturnType<typeof createStoreMetrics>
  readonly registry: Registry
}

export interface Observers {
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics | undefined
  /** Absent where no tracer provider is registered. */
  readonly tracing?: Tracing | undefined
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: seconds,
    registers
  })
  const label = boundedLabels()
  const refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Answers with an Error body, by its number',
    labelNames: ['error'],
    registers
  })
  return {
    request: (operation, status, milliseconds) =>
      requests.observe({ operation, status }, milliseconds / 1000),
    refusal: (error) => refusals.inc({ error: label(error) }),
    watchStore: () => createStoreMetrics(registry),
    registry
  }
}

/** Maximum of labels: each costs memory in this process and in Prometheus, and a label may hold text of clients. */
const maxLabels = 500

/** Returns a function that replaces further labels by `other`. */
function boundedLabels(): (label: ErrorLabel) => ErrorLabel {
  const known = new Set<ErrorLabel>()
  return (label) => {
    if (known.size < maxLabels) known.add(label)
    return known.has(label) ? label : 'other'
  }
}

/** @returns functions that observe a commit, and that add metrics whose values are read at each scrape */
function createStoreMetrics(registry: Registry) {
  const registers = [registry]
  const commits = new Histogram({
    name: 'store_commit_duration_seconds',
    help: 'Time to commit a batch',
    labelNames: ['outcome'],
    buckets: seconds,
    registers
  })
  const batches = new Histogram({
    name: 'store_batch_size',
    help: 'Creates in a batch',
    buckets: sizes,
    registers
  })
  const watch = (Metric: typeof Gauge | typeof Counter, name: string, help: string, read: () => number) =>
    new Metric({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      }
    })
  return {
    commit: ({ size, milliseconds, error }: ObservedCommit) => {
      commits.observe({ outcome: error === undefined ? 'committed' : 'failed' }, milliseconds / 1000)
      batches.observe(size)
    },
    watchQueue: (depth: () => number) =>
      watch(Gauge, 'store_queue_depth', 'Creates that wait for a batch', depth),
    watchWal: (bytes: () => number, checkpoints: () => number) => {
      watch(Gauge, 'store_wal_bytes', 'Size of the write-ahead log', bytes)
      watch(Counter, 'store_checkpoints_total', 'Checkpoints of the write-ahead log', checkpoints)
    }
  }
}

/** Open connections of the listener; further ones are closed. */
const maxConnections = 100

/**
 * Listens for Prometheus, without credentials: on a port of its own, by default on the loopback address only, where a name
 * of others in `Host` is refused (421): a page could have led it here.
 * @throws {NodeJS.ErrnoException} when the port is taken or may not be used
 */
export async function listenForMetrics(
  registry: Registry,
  port: number,
  host = '127.0.0.1'
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(respondWith(registry, host))
  server.maxConnections = maxConnections
  await once(server.listen(port, host), 'listening')
  // Emitted when a connection cannot be accepted; without a listener the event would end the process.
  server.on('error', () => undefined)
  const { address, family, port: taken } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

const respondWith =
  (registry: Registry, host: string): RequestListener =>
  async ({ method, url, headers }, response) => {
    // In a network, Prometheus may know this server by any name.
    if (isLoopback(host) && !isOwnHost(headers.host, [host])) return response.writeHead(421).end()
    if (url !== '/metrics') return response.writeHead(404).end()
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405, { allow: 'GET, HEAD' }).end()
    // A rejection of a listener would end the process.
    const { status, text } = await registry.metrics().then(
      (text) => ({ status: 200, text }),
      (error: unknown) => ({ status: 500, text: `# ${String(error)}\n` })
    )
    return response
      .writeHead(status, { 'content-type': registry.contentType })
      .end(method === 'GET' ? text : undefined)
  }
