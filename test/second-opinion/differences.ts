/** Differences between this project and fastify-openapi-glue 4.11, each with its reason; README and code of glue, 2025. */

/** Contracts that glue does not register, by the cause. */
export const unregistered: Readonly<Record<string, string>> = {
  'agreement-3.0': 'nullable without type is not legal for the Ajv of Fastify',
  'dialect-3.1': 'an enum without values is not legal for the Ajv of Fastify',
  'dynamic-references': 'its document validator refuses $dynamicRef in this place',
  extensions: 'its document validator refuses the document',
  'hostile-text': 'its document validator refuses the document',
  methods: 'Fastify refuses the schema of a GET body',
  'nullable-3.0': 'a boolean exclusiveMaximum is not legal for the Ajv of Fastify',
  'path-item-parameters': 'its document validator refuses components.pathItems',
  peers: 'its document validator refuses the document',
  'percent-signs': 'its document validator refuses the name of a component',
  'path-names': 'a literal * becomes a wildcard of the router',
  recursive: 'its document validator refuses the document',
  references: 'its document validator refuses the document',
  'tolerated-3.0': 'its document validator refuses the document',
  tolerated: 'its document validator refuses the document',
  'wrong-headings': 'its document validator refuses a part under another heading'
}

export interface Difference {
  readonly contract: string
  /** Beginning of the request line. */
  readonly request: RegExp
  readonly reason: string
}

const style = 'glue leaves the text of arrays and objects in style and explode other than the router reads'
const content = 'glue leaves the text of a parameter with content'
const int64 = 'glue reads integers as doubles'
const inherited = 'glue looks names up in Object.prototype, too'
const required = 'glue requires readOnly properties of a request'

export const differences: readonly Difference[] = [
  { contract: 'agreement', request: /^POST \/things/, reason: 'draft 7 does not know prefixItems' },
  { contract: 'discriminator', request: /^POST \/shapes/, reason: 'glue does not read discriminators' },
  { contract: 'integers', request: /^POST \/things/, reason: 'draft 7 does not know prefixItems' },
  { contract: 'int64', request: /^POST \/1$/, reason: int64 },
  { contract: 'names', request: /^POST \/1\/2/, reason: inherited },
  { contract: 'one-or-many', request: /tags=null/, reason: 'glue coerces null to a text' },
  { contract: 'one-or-many', request: /ids=9007199254740993/, reason: int64 },
  { contract: 'one-or-many', request: /(joined|piped|size|deep)|^GET \/(header|path)/, reason: style },
  {
    contract: 'openapi-3.2',
    request: /^GET \/joined/,
    reason: 'glue leaves out what stands beside the $ref of a path item'
  },
  {
    contract: 'openapi-3.2',
    request: /^(QUERY|COPY|M-SEARCH|LOCK) /,
    reason: 'the method does not exist in glue'
  },
  {
    contract: 'openapi-3.2',
    request: /^GET \/shared(\?size=2)?$/,
    reason: 'glue does not know shared media types'
  },
  {
    contract: 'optional-discriminator',
    request: /^POST \/hidden/,
    reason: required
  },
  { contract: 'parameter-styles', request: /json=/, reason: content },
  {
    contract: 'parameter-styles',
    request: /^GET \/nearest-defaults/,
    reason: 'glue reads no default beside $ref or in allOf'
  },
  {
    contract: 'parameter-styles',
    request:
      /(joined|spaces|pipes|point|list|pair|r)=|(filter|map)\[|^GET \/(simple|label|matrix|header|loose)/,
    reason: style
  },
  { contract: 'parameter-styles', request: /raw=/, reason: 'glue reads + as a space' },
  {
    contract: 'querystring',
    request: /\?|^GET \/levels/,
    reason: 'glue does not know a parameter in querystring'
  },
  { contract: 'read-only-values', request: /^GET \/alerts/, reason: style },
  { contract: 'read-only-values', request: /^POST \/notes/, reason: required },
  { contract: 'read-write-only', request: /^POST \/users/, reason: required },
  {
    contract: 'security',
    request: /key=/,
    reason: 'glue hands undeclared query parameters to the handler'
  },
  {
    contract: 'yaml-features',
    request: /^(PUT|POST) \/things\/5/,
    reason: 'glue fills in defaults of the body'
  }
]
