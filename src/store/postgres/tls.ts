/** TLS of a `postgres://` URL by the table of libpq (https://www.postgresql.org/docs/18/libpq-ssl.html). */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, createSecureContext, type SecureVersion } from 'node:tls'
import { read, refuse } from './client-parameters.ts'

export interface Tls {
  /** `false`: no TLS; `prefer`: TLS where the server supports it, without a check of its certificate. */
  readonly options: false | 'prefer' | ConnectionOptions
  /** True if the handshake begins at once, without a question to the server. */
  readonly isDirect: boolean
}

type Take = (name: string) => string | undefined

const names = [
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslcrl',
  'sslsni',
  'sslnegotiation',
  'ssl_min_protocol_version',
  'ssl_max_protocol_version'
] as const

type Given = Partial<Record<(typeof names)[number], string>>

const versions: readonly string[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] satisfies SecureVersion[]

/** @throws {StoreOpenError} for what would be weaker than in libpq */
export function parseTls(take: Take): Tls {
  const given: Given = {}
  for (const name of names) {
    const value = take(name)
    if (value !== undefined) given[name] = value
  }
  const mode = take('sslmode') ?? (given.sslrootcert === 'system' ? 'verify-full' : undefined)
  const [option] = Object.keys(given)
  if (mode === undefined && option !== undefined) refuse(`has ${option} without sslmode`)
  if (mode === 'disable' && (given.sslrootcert === 'system' || given.sslnegotiation === 'direct'))
    refuse('has sslmode=disable with sslrootcert=system or sslnegotiation=direct, which require TLS')
  if (mode === undefined || mode === 'disable') return { options: false, isDirect: false }
  if (mode === 'allow' || mode === 'prefer') {
    if (option !== undefined)
      refuse(`has ${option}, which requires sslmode=require, verify-ca or verify-full`)
    return { options: 'prefer', isDirect: false }
  }
  return { options: required(mode, given), isDirect: parseNegotiation(given.sslnegotiation) }
}

function required(mode: string, given: Given): ConnectionOptions {
  const options = { ...authorities(given), ...identity(given), ...protocols(given), ...serverName(given) }
  try {
    createSecureContext(options)
  } catch (error) {
    refuse(`names a certificate, key or revocation list that cannot be used: ${(error as Error).message}`)
  }
  if (mode === 'verify-full') return options
  if (given.sslrootcert === 'system')
    refuse(
      `has sslmode=${mode}, by which any public certificate would do; sslrootcert=system needs verify-full`
    )
  // "if a root CA file exists, the behavior of sslmode=require will be the same as that of verify-ca"
  const hasAuthority = options.ca !== undefined
  if (mode === 'require' && !hasAuthority) return { ...options, rejectUnauthorized: false }
  if (mode !== 'require' && mode !== 'verify-ca') refuse(`has an unknown sslmode, ${mode}`)
  if (!hasAuthority) refuse('has sslmode=verify-ca without sslrootcert=FILE')
  return { ...options, checkServerIdentity: () => undefined }
}

/** Reads the authorities and the revocation list; the files of libpq in the home directory are the default. */
function authorities({ sslrootcert, sslcrl }: Given): ConnectionOptions {
  if (sslrootcert === 'system') return sslcrl === undefined ? {} : { crl: read(sslcrl) }
  const ca = sslrootcert ?? existing('root.crt')
  const crl = sslcrl ?? existing('root.crl')
  if (ca === undefined && sslcrl !== undefined) refuse('has sslcrl without sslrootcert')
  return { ...(ca && { ca: read(ca) }), ...(ca && crl && { crl: read(crl) }) }
}

function existing(name: string): string | undefined {
  const path = join(homedir(), '.postgresql', name)
  return existsSync(path) ? path : undefined
}

function identity({ sslcert, sslkey, sslpassword }: Given): ConnectionOptions {
  if ((sslcert === undefined) !== (sslkey === undefined))
    refuse('has one of sslcert and sslkey without the other')
  if (sslcert === undefined || sslkey === undefined) return {}
  return { cert: read(sslcert), key: read(sslkey), ...(sslpassword && { passphrase: sslpassword }) }
}

function protocols(given: Given): ConnectionOptions {
  const minVersion = given.ssl_min_protocol_version ?? 'TLSv1.2'
  const maxVersion = given.ssl_max_protocol_version ?? 'TLSv1.3'
  const [least, most] = [versions.indexOf(minVersion), versions.indexOf(maxVersion)]
  if (least < 0 || most < least)
    refuse(
      `must have ssl_min_protocol_version and ssl_max_protocol_version in the order ${versions.join(', ')}`
    )
  return { minVersion: minVersion as SecureVersion, maxVersion: maxVersion as SecureVersion }
}

function serverName({ sslsni = '1' }: Given): { servername?: string } {
  if (sslsni === '1') return {}
  return sslsni === '0' ? { servername: '' } : refuse('must have 0 or 1 as sslsni')
}

function parseNegotiation(text = 'postgres'): boolean {
  if (text === 'postgres' || text === 'direct') return text === 'direct'
  return refuse('must have postgres or direct as sslnegotiation')
}
