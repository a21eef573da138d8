/** Answers with an asset: compressed as the client likes it, and not at all when it has it already. */
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asset, Encoding } from './asset.ts'

const encodings: Encoding[] = ['br', 'gzip', 'identity']

/** RFC 9110, sections 12.5.3 (Accept-Encoding) and 13.1.2 (If-None-Match). */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset
): Promise<Buffer | undefined> {
  const encoding = negotiate(String(request.headers['accept-encoding'] ?? ''), encodings) ?? 'identity'
  // Strong, so each encoding has its own.
  const etag = `"${asset.version}-${encoding}"`
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': cacheControl(request, asset) })
  if (isKnown(request.headers['if-none-match'], etag)) {
    reply.code(304)
    return undefined
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.type(asset.mediaType)
  return asset.encoded(encoding)
}

/** Under a URL that names its version, an asset never changes (RFC 8246). */
function cacheControl(request: FastifyRequest, { version }: Asset): string {
  const isNamed = new URL(request.url, 'http://localhost').searchParams.get('v') === version
  return isNamed ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}
