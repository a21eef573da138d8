/** Sends an asset in an encoding that the client accepts, or 304 when its copy is current. */
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asset, Encoding } from './asset.ts'

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
