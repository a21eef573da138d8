/**
 * A real issuer on loopback: publishes a JWKS that can be changed, counts the fetches, can be unavailable, and signs
 * tokens.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT
} from 'jose'

export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

export async function createKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

export const now = (): number => Math.floor(Date.now() / 1000)

export const usualClaims = (): JWTPayload => ({
  iss: 'https://id.example',
  aud: 'plants',
  sub: 'alice',
  exp: now() + 60
})

export function sign(
  key: SigningKey,
  claims: Readonly<Record<string, unknown>> = {},
  header: Partial<JWTHeaderParameters> = {}
): Promise<string> {
  return new SignJWT({ ...usualClaims(), ...claims })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey)
}

export interface Issuer {
  readonly url: URL
  /** Sets its response: keys, or any other text. */
  publish(...keys: readonly SigningKey[]): void
  answer(status: number, body: string): void
  fetches(): number
  close(): Promise<void>
}

export async function startIssuer(...keys: readonly SigningKey[]): Promise<Issuer> {
  let reply = { status: 200, body: '' }
  let count = 0
  const publish = (...published: readonly SigningKey[]) => {
    reply = { status: 200, body: JSON.stringify({ keys: published.map(({ jwk }) => jwk) }) }
  }
  publish(...keys)
  const server = createServer((_request, response) => {
    count += 1
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}/jwks`),
    publish,
    answer: (status, body) => {
      reply = { status, body }
    },
    fetches: () => count,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
