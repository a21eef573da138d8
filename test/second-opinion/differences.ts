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

/** Name of a contract, beginning of a request line, and the reason. */
export type Difference = readonly [contract: string, request: RegExp, reason: string]

const style = 'glue leaves the text of arrays and objects in style and explode other than the router reads'
const content = 'glue leaves the text of a parameter with content'
const int64 = 'glue reads integers as doubles'
const inherited = 'glue looks names up in Object.prototype, too'
const required = 'glue requires readOnly properties of a request'

export const differences: readonly Difference[] = [
  ['agreement', /^POST \/things/, 'draft 7 does not know prefixItems'],
  ['discriminator', /^POST \/shapes/, 'glue does not read discriminators'],
  ['integers', /^POST \/things/, 'draft 7 does not know prefixItems'],
  ['int64', /^POST \/1$/, int64],
  ['names', /^POST \/1\/2/, inherited],
  ['one-or-many', /tags=null/, 'glue coerces null to a text'],
  ['one-or-many', /ids=9007199254740993/, int64],
  ['one-or-many', /(joined|piped|size|deep)|^GET \/(header|path)/, style],
  ['openapi-3.2', /^GET \/joined/, 'glue leaves out what stands beside the $ref of a path item'],
  ['openapi-3.2', /^(QUERY|COPY|M-SEARCH|LOCK) /, 'the method does not exist in glue'],
  ['openapi-3.2', /^GET \/shared(\?size=2)?$/, 'glue does not know shared media types'],
  ['optional-discriminator', /^POST \/hidden/, required],
  ['parameter-styles', /json=/, content],
  ['parameter-styles', /^GET \/nearest-defaults/, 'glue reads no default beside $ref or in allOf'],
  [
    'parameter-styles',
    /(joined|spaces|pipes|point|list|pair|r)=|(filter|map)\[|^GET \/(simple|label|matrix|header|loose)/,
    style
  ],
  ['parameter-styles', /raw=/, 'glue reads + as a space'],
  ['querystring', /\?|^GET \/levels/, 'glue does not know a parameter in querystring'],
  ['read-only-values', /^GET \/alerts/, style],
  ['read-only-values', /^POST \/notes/, required],
  ['read-write-only', /^POST \/users/, required],
  ['security', /key=/, 'glue hands undeclared query parameters to the handler'],
  ['yaml-features', /^(PUT|POST) \/things\/5/, 'glue fills in defaults of the body']
]
