/** Sends the requests of this page, and prepares the contract that Scalar shows. */

const contractUrl = document.querySelector('link[rel=service-desc]').href

globalThis.requestsOfPage = { contractUrl, fetchForPage }

/** Implements `customFetch` of Scalar, for the contract and for the requests that a user tries. */
async function fetchForPage(input, init) {
  if (String(input) === contractUrl) return fetchContract(input, init)
  const request = new Request(input, init)
  // An empty field is not a credential.
  if (/^(bearer|basic( Og==)?)$/i.test(request.headers.get('authorization')?.trim()))
    request.headers.delete('authorization')
  return fetch(request)
}

async function fetchContract(input, init) {
  const response = await fetch(input, init)
  // The service is overloaded (RFC 9110, section 15.6.4): without its contract the page would stay empty.
  if (response.status === 503) {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    return fetchContract(input, init)
  }
  const contract = JSON.parse(await response.text())
  showServers(contract)
  markFiles(contract)
  reverseSent(contract)
  globalThis.addExamples(contract, (node) => resolved(contract, node))
  return Response.json(contract, { status: response.status })
}

/** Puts the server of this page first, where requests are sent and samples point to, whatever the contract names. */
function showServers(contract) {
  const url = absolute('.')
  const declared = (contract.servers ?? []).map((server) => ({ ...server, url: absolute(server.url) }))
  const isThis = (server) => server.url === url
  contract.servers = [declared.find(isThis) ?? { url }, ...declared.filter((server) => !isThis(server))]
  for (const item of Object.values(contract.paths ?? {}))
    for (const part of [item, ...Object.values(item)]) delete Object(part).servers
}

/**
 * Resolves a server URL against the URL of the contract (OpenAPI 3.1.0, section 4.8.5), because Scalar does not. Keeps
 * the braces of a variable, such as `{region}`.
 */
function absolute(url) {
  if (/^([a-z][\w+.-]*:|\{)/i.test(url)) return url
  const { href } = new URL(url, contractUrl)
  return href.replace(/\/$/, '').replaceAll('%7B', '{').replaceAll('%7D', '}')
}

/**
 * Marks files of uploads by `format: binary` as in OpenAPI 3.0: otherwise Scalar shows no file input, and no
 * `@filename` in its samples. OpenAPI 3.1 has contentMediaType, or no type at all (sections 4.8.14.2 and 4.8.15).
 */
function markFiles(contract) {
  const operations = Object.values(contract.paths ?? {}).flatMap((item) => Object.values(item))
  for (const operation of operations) {
    for (const [mediaType, { schema }] of Object.entries(
      resolved(contract, operation?.requestBody)?.content ?? {}
    )) {
      if (mediaType.startsWith('multipart/')) markProperties(contract, schema)
    }
  }
}

function markProperties(contract, schema) {
  const { properties = {}, allOf = [] } = resolved(contract, schema) ?? {}
  for (const part of allOf) markProperties(contract, part)
  for (const property of Object.values(properties)) {
    const part = resolved(contract, property)
    const file = part?.type === 'array' ? resolved(contract, part.items) : part
    if (isFile(file)) Object.assign(file, { type: 'string', format: 'binary' })
  }
}

function isFile(schema) {
  if (schema === undefined || schema.contentEncoding !== undefined) return false
  if (schema.type === 'string') return schema.contentMediaType !== undefined
  return Object.keys(schema).every((key) => key === 'description' || key === 'contentMediaType')
}

/**
 * Reverses `readOnly` and `writeOnly` of webhooks and callbacks, because their sender owns the data (JSON Schema Validation
 * 2020-12, section 9.4): Scalar hides read-only properties of every request, and write-only ones of every response.
 */
function reverseSent(contract) {
  const operations = (items) =>
    Object.values(items ?? {}).flatMap((item) => Object.values(resolved(contract, item) ?? {}))
  const webhooks = operations(contract.webhooks)
  const callbacks = [...operations(contract.paths), ...webhooks]
    .flatMap((operation) => Object.values(operation?.callbacks ?? {}))
    .flatMap((callback) => operations(resolved(contract, callback)))
  for (const operation of new Set([...webhooks, ...callbacks])) {
    const { requestBody, responses = {} } = Object(operation)
    if (requestBody) operation.requestBody = reversed(contract, resolved(contract, requestBody), 'readOnly')
    for (const [status, response] of Object.entries(responses))
      responses[status] = reversed(contract, resolved(contract, response), 'writeOnly')
  }
}

/** Returns a copy with the flag that hides in place of the other one. A schema with flags is copied under another name. */
function reversed(contract, node, hides) {
  if (Array.isArray(node)) return node.map((item) => reversed(contract, item, hides))
  if (typeof node === 'string') return reversedReference(contract, node, hides)
  if (typeof node !== 'object' || node === null) return node
  const { readOnly, writeOnly, ...members } = node
  const isHidden = (hides === 'readOnly' ? writeOnly : readOnly) === true
  const copy = Object.entries(members).map(([name, member]) => [name, reversed(contract, member, hides)])
  return { ...Object.fromEntries(copy), ...(isHidden && { [hides]: true }) }
}

function reversedReference(contract, reference, hides) {
  const [, name] = reference.match(/^#\/components\/schemas\/([^/]+)$/) ?? []
  const schema = name && resolved(contract, { $ref: reference })
  if (!schema || !hasFlag(contract, reference)) return reference
  const { schemas } = contract.components
  const other = `${name} ${hides === 'readOnly' ? '(sent)' : '(answered)'}`
  if (!Object.hasOwn(schemas, other)) {
    // A schema may refer to itself.
    schemas[other] = {}
    Object.assign(schemas[other], { title: name }, reversed(contract, schema, hides))
    // The list of schemas has the original.
    schemas[other]['x-scalar-ignore'] = true
  }
  return `#/components/schemas/${other.replaceAll(' ', '%20')}`
}

function hasFlag(contract, reference, seen = new Set()) {
  if (seen.has(reference)) return false
  seen.add(reference)
  const text = JSON.stringify(resolved(contract, { $ref: reference })) ?? ''
  const references = [...text.matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, found]) => found)
  return /"(?:read|write)Only":true/.test(text) || references.some((each) => hasFlag(contract, each, seen))
}

function resolved(contract, node) {
  if (node?.$ref === undefined) return node
  const keys = node.$ref
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce((found, key) => found?.[key], contract)
}
