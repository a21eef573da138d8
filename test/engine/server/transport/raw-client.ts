import net from 'node:net'
import { sleep } from '../../../time.ts'

export interface Exchange {
  /** Everything the server sent, as latin1. */
  readonly text: string
  readonly responses: Response[]
  /** End of the connection within the time: by the server's FIN, by a reset, or none. */
  readonly ending: 'closed' | 'reset' | 'open'
}

export interface Response {
  readonly status: number
  readonly headers: Map<string, string>
  readonly body: string
}

interface Options {
  /** Milliseconds to wait for the end of the connection. */
  readonly wait?: number
  /**
   * Number of final answers that ends the wait instead of the end of the connection; further ones have a moment to
   * arrive.
   */
  readonly enough?: number
  /** Is called when connected, instead of sending the text. */
  readonly talk?: (socket: net.Socket) => Promise<void>
}

/** Sends bytes as they are, and reads until the server closes or the time is up. */
export async function exchange(
  port: number,
  text: string,
  { wait = 250, enough, talk }: Options = {}
): Promise<Exchange> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const received: Buffer[] = []
  let ending: Exchange['ending'] = 'open'
  const ended = new Promise<void>((resolve) => {
    socket.on('end', () => {
      ending = 'closed'
      resolve()
    })
    socket.on('error', () => {
      ending = 'reset'
      resolve()
    })
  })
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk)
      if (enough !== undefined && finalAnswers(received) >= enough) setTimeout(resolve, 20)
    })
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  if (talk) await talk(socket)
  else socket.write(Buffer.from(text, 'latin1'))
  const isOver = new AbortController()
  await Promise.race([ended, answered, sleep(wait, isOver.signal)])
  isOver.abort()
  socket.destroy()
  const all = Buffer.concat(received).toString('latin1')
  return { text: all, responses: responsesOf(all), ending }
}

function finalAnswers(received: readonly Buffer[]): number {
  try {
    const responses = responsesOf(Buffer.concat(received).toString('latin1'))
    return responses.filter(({ status }) => status >= 200).length
  } catch {
    return 0
  }
}

/** Parses the responses; throws on anything but a sequence of well-formed ones. */
function responsesOf(text: string): Response[] {
  const responses: Response[] = []
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Z]/.exec(statusLine)?.[1])
    if (end < 0 || Number.isNaN(status)) throw new Error(`no response: ${rest.slice(0, 100)}`)
    const headers = new Map(lines.map((line) => headerOf(line)))
    rest = rest.slice(end + 4)
    const length =
      status < 200 || status === 204 || status === 304
        ? 0
        : Number(headers.get('content-length') ?? Number.NaN)
    if (Number.isNaN(length) || rest.length < length) throw new Error(`no whole body: ${rest.slice(0, 100)}`)
    responses.push({ status, headers, body: rest.slice(0, length) })
    rest = rest.slice(length)
  }
  return responses
}

function headerOf(line: string): [string, string] {
  const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined) throw new Error(`no header: ${line}`)
  return [name.toLowerCase(), value]
}
