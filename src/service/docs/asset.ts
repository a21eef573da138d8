/** File in memory with its media type and version, compressed at most once per encoding. */
import { hash } from 'node:crypto'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Asset {
  readonly mediaType: string
  readonly version: string
  readonly encoded: (encoding: Encoding) => Promise<Buffer>
}

/** @param br the content, compressed already */
export function createAsset(mediaType: string, content: string | Buffer, br?: Buffer): Asset {
  const bytes = Buffer.from(content)
  const version = hash('sha256', bytes, 'base64url').slice(0, 16)
  const cached: Partial<Record<Encoding, Promise<Buffer>>> = br ? { br: Promise.resolve(br) } : {}
  return {
    mediaType,
    version,
    encoded: (encoding) => {
      cached[encoding] ??= encode[encoding](bytes)
      return cached[encoding]
    }
  }
}

/** Quality of Brotli; higher ones take seconds for a document of megabytes. */
const brotliQuality = 5

/** Loads the compressors with the first request, because they would delay the start. */
const compressors = () => Promise.all([import('node:util'), import('node:zlib')])

const encode: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: async (bytes) => {
    const [{ promisify }, { brotliCompress, constants }] = await compressors()
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
  },
  gzip: async (bytes) => {
    const [{ promisify }, { gzip }] = await compressors()
    return promisify(gzip)(bytes)
  },
  identity: async (bytes) => bytes
}

const encodings: Encoding[] = ['br', 'gzip', 'identity']

/** Sends an asset (RFC 9110, sections 12.5.3, Accept-Encoding, and 13.1.2, If-None-Match). */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset
): Promise<Buffer | undefined> {
  const encoding = negotiate(String(request.headers['accept-encoding'] ?? ''), encodings) ?? 'identity'
  // A strong validator (RFC 9110, section 8.8.1) differs for each encoding.
  const etag = `"${asset.version}-${encoding}"`
  // Appended, because CORS adds `origin`.
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ')
  reply.headers({ etag, vary, 'cache-control': cacheControl(request, asset) })
  if (isCurrent(request.headers['if-none-match'], etag)) {
    reply.code(304)
    return undefined
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.type(asset.mediaType)
  return asset.encoded(encoding)
}

/** Returns `immutable` for a URL with a version, whose asset never changes (RFC 8246). */
function cacheControl(request: FastifyRequest, { version }: Asset): string {
  const isVersioned = new URL(request.url, 'http://localhost').searchParams.get('v') === version
  return isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
