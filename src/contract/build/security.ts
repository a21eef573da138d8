/** Builds security schemes and requirements (OpenAPI 3.2.0, sections 4.27 to 4.30), servers and tags. */

import type { Flow, Security, SecurityScheme, Server, Tag } from '../model/contract.ts'
import { arrayOf, isObject, type JsonObject, membersOf, objectOf, own, stringOf } from '../model/json.ts'
import type { Origin } from '../model/origin.ts'
import { extensionsOf, type Mutable, type SourceDocument, textsOf } from './document.ts'

export class SecurityBuilder {
  readonly schemes = new Map<string, SecurityScheme>()
  readonly #document: SourceDocument

  constructor(document: SourceDocument) {
    this.#document = document
    for (const [key, value] of Object.entries(document.components('securitySchemes'))) {
      const node = document.resolve(value)
      if (node !== undefined) this.schemes.set(key, this.#scheme(key, node))
    }
  }

  /** @param node the operation or the root, whose `security` holds the alternatives */
  requirements(node: JsonObject): Security {
    return arrayOf(own(node, 'security')).map((alternative) =>
      Object.entries(objectOf(alternative)).map(([key, scopes]) => {
        const origin = this.#document.origin(objectOf(alternative)).at(key)
        const scheme = this.schemes.get(key) ?? undeclared(key, origin)
        return { scheme, scopes: arrayOf(scopes).map(String), origin }
      })
    )
  }

  #scheme(key: string, node: JsonObject): SecurityScheme {
    const written = stringOf(own(node, 'type'))
    const type = types.find((each) => each === written) ?? 'undeclared'
    const place = places.find((each) => each === own(node, 'in'))
    const parameter = stringOf(own(node, 'name'))
    return {
      key,
      type,
      ...textsOf(node, 'scheme', 'bearerFormat', 'openIdConnectUrl', 'description'),
      ...(place !== undefined && { in: place }),
      ...(parameter !== undefined && { parameter }),
      flows: new Map(membersOf(own(node, 'flows')).map(([name, flow]) => [name, flowOf(flow)])),
      deprecated: own(node, 'deprecated') === true,
      extensions: extensionsOf(node),
      origin: this.#document.origin(node)
    }
  }
}

/** Returns a scheme that nobody satisfies: to drop the requirement would let everybody in. */
const undeclared = (key: string, origin: Origin): SecurityScheme => ({
  ...{ key, type: 'undeclared', flows: new Map(), deprecated: false, extensions: {}, origin }
})

const types = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'] as const
const places = ['query', 'header', 'cookie'] as const

function flowOf(node: JsonObject): Flow {
  const scopes = Object.entries(objectOf(own(node, 'scopes')))
  return {
    ...textsOf(node, 'authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl'),
    scopes: new Map(scopes.map(([scope, text]) => [scope, String(text)]))
  }
}

/** Returns the servers that a node lists; undefined if it lists none. */
export function serversOf(node: JsonObject, document: SourceDocument): Server[] | undefined {
  const listed = arrayOf(own(node, 'servers')).filter(isObject)
  const servers = listed.map(
    (server): Server => ({
      url: stringOf(own(server, 'url')) ?? '/',
      ...textsOf(server, 'name', 'description'),
      variables: new Map(
        membersOf(own(server, 'variables')).map(([name, value]) => [name, variableOf(value)])
      ),
      origin: document.origin(server)
    })
  )
  return servers.length === 0 ? undefined : servers
}

function variableOf(node: JsonObject): Mutable<{ default: string; enum?: readonly string[] }> {
  const values = own(node, 'enum')
  return {
    default: String(own(node, 'default') ?? ''),
    ...(Array.isArray(values) && { enum: values.map(String) })
  }
}

export function tagsOf(node: JsonObject, document: SourceDocument): Tag[] {
  return arrayOf(own(node, 'tags'))
    .filter(isObject)
    .map((tag) => ({
      name: stringOf(own(tag, 'name')) ?? '',
      ...textsOf(tag, 'summary', 'description', 'parent', 'kind'),
      extensions: extensionsOf(tag),
      origin: document.origin(tag)
    }))
}
