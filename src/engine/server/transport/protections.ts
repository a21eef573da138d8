/**
 * Protections of the transport that depend on undocumented parts of Node. Where this version of Node lacks a part, the
 * protections that need it are off, the boot warns once, and the server serves without them.
 */
import { version } from 'node:process'
import { type ErrorLog, logSafely } from '../errors/callbacks.ts'
import { missingParts, type Part } from './node-probe.ts'

interface Protection {
  readonly parts: readonly Part[]
  /** Consequence for clients and for the service. */
  readonly without: string
}

const served = ['socket.parser.onIncoming', 'request.upgrade', 'socket._httpMessage'] as const
const pipelined = [...served, 'socket._paused', 'socket.parser.resume'] as const

const protections = {
  halfOpen: {
    parts: ['server.httpAllowHalfOpen'],
    without: 'a client that closes its sending half may get no response'
  },
  lingeringClose: {
    parts: ['socket.destroySoon', 'socket.parser.incoming'],
    without: 'a client that is still sending may lose the response that closes its connection'
  },
  pipelining: {
    parts: pipelined,
    without:
      'the requests of a connection have no limit, and a CONNECT closes its connection without a response'
  },
  upgrades: {
    parts: [
      ...pipelined,
      'socket.parser._consumed',
      'socket.parser.execute',
      'socket.parser.getCurrentBuffer',
      'socket.parser.constructor.kOnExecute'
    ],
    without: 'bytes behind a request with Upgrade are lost'
  },
  unreadBodies: {
    parts: [...pipelined, 'response.shouldKeepAlive'],
    without: 'large bodies are received to their end, also after a refusal'
  },
  unreadBytes: {
    parts: ['socket._httpMessage'],
    without: 'the unread responses of one connection have no limit of their own'
  },
  unreadResponses: {
    parts: ['socket._handle.writeQueueSize'],
    without: 'a client that stops reading keeps its connection'
  },
  refusals: {
    parts: ['socket._httpMessage', 'socket.parser.incoming'],
    without: 'the connection of a request that is malformed or late is closed without a response'
  }
} as const satisfies Record<string, Protection>

type Name = keyof typeof protections

interface Probed {
  readonly missing: ReadonlySet<Part>
  readonly off: ReadonlySet<string>
}

let probed: Probed | undefined

/** Probes once in a process. */
function probe(): Probed {
  if (probed !== undefined) return probed
  const missing = missingParts()
  const lacking = Object.entries<Protection>(protections).filter(
    ([, { parts }]) => !missing.isDisjointFrom(new Set(parts))
  )
  probed = { missing, off: new Set(lacking.map(([name]) => name)) }
  return probed
}

/** Returns true if this version of Node has all parts of a protection. */
export function isOn(name: Name): boolean {
  return !probe().off.has(name)
}

/** Logs one warning that names the missing parts, and what is off without them. */
export function warnOfMissingParts(log: ErrorLog): void {
  const { missing, off } = probe()
  if (missing.size === 0) return
  const parts = [...missing]
  const consequences = Object.entries(protections).flatMap(([name, { without }]) =>
    off.has(name) ? [without] : []
  )
  const message = `Node ${version} lacks ${parts.join(', ')}: ${consequences.join('; ')}`
  logSafely(log, 'warn', { parts, off: [...off] }, message)
}
