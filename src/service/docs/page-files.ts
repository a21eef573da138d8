/**
 * The files of page/ as texts, because a bundle holds modules only. Written by `npm run docs:page`; never edited.
 */
export const pageFiles: Readonly<Record<string, string>> = {
  'exact-json.js': `/**
 * Makes JSON.parse and JSON.stringify keep integers beyond 2^53 exact, because Scalar parses and rewrites request
 * bodies. Browsers without JSON.rawJSON keep their own functions.
 */
if ('rawJSON' in JSON) {
  const { parse } = JSON
  const isRounded = (value, source) => Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\\d+$/.test(source)
  const exact = (_key, value, { source }) => (isRounded(value, source) ? BigInt(source) : value)

  JSON.parse = (text, reviver) => parse(text, reviver ?? (/\\d{16}/.test(text) ? exact : undefined))
  BigInt.prototype.toJSON = function () {
    return JSON.rawJSON(String(this))
  }
}
`,
  'favicon.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <title>A seedling</title>
  <style>
    path {
      fill: #22c55e;
      stroke: #15803d;
      stroke-linecap: round;
      stroke-linejoin: round;
      stroke-width: 2.5;
    }
    @media (prefers-color-scheme: dark) {
      path {
        fill: #16a34a;
        stroke: #4ade80;
      }
    }
  </style>
  <path d="M16 15C16 8 10 5 3 5c0 7 5 11 13 10z"/>
  <path d="M16 19c0-6 5-9 13-9 0 6-5 10-13 9z"/>
  <path d="M16 14v16"/>
</svg>
`,
  'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="The API of {{title}}, version {{version}}: read it, and try it.">
    <title>{{title}} API</title>
    <link rel="icon" type="image/svg+xml" href="{{/docs/favicon.svg}}">
    <link rel="service-desc" type="application/json" href="{{/openapi.json}}">
    <link rel="alternate" type="application/yaml" href="{{/openapi.yaml}}">
    <link rel="stylesheet" href="{{/docs/style.css}}">
    <script defer src="{{/docs/exact-json.js}}"></script>
    <script defer src="{{/docs/session.js}}"></script>
    <script defer src="{{/docs/requests.js}}"></script>
    <script defer src="{{/docs/start.js}}"></script>
    <script defer src="{{/docs/scalar.js}}"></script>
  </head>
  <body>
    <noscript>
      <p>This page needs JavaScript. It shows <a href="{{/openapi.yaml}}">the contract of {{title}}</a>.</p>
    </noscript>
    <div id="app"></div>
    <main class="loading">
      <h1>{{title}}</h1>
      <p>Version {{version}}</p>
    </main>
  </body>
</html>
`,
  'requests.js': `/** Sends the requests of this page, and prepares the contract that Scalar shows. */

const contractUrl = document.querySelector('link[rel=service-desc]').href

globalThis.requestsOfPage = { contractUrl, fetchForPage }

/** Implements \`customFetch\` of Scalar, for the contract and for the requests that a user tries. */
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
  const contract = JSON.parse(await response.text())
  for (const server of contract.servers ?? []) server.url = absolute(server.url)
  markFiles(contract)
  return Response.json(contract, { status: response.status })
}

/**
 * Resolves a server URL against the URL of the contract (OpenAPI 3.1.0, section 4.8.5), because Scalar does not. Keeps
 * the braces of a variable, such as \`{region}\`.
 */
function absolute(url) {
  if (/^([a-z][\\w+.-]*:|\\{)/i.test(url)) return url
  const { href } = new URL(url, contractUrl)
  return href.replace(/\\/$/, '').replaceAll('%7B', '{').replaceAll('%7D', '}')
}

/**
 * Marks files of uploads by \`format: binary\` as in OpenAPI 3.0: otherwise Scalar shows no file input, and no
 * \`@filename\` in its samples. OpenAPI 3.1 has contentMediaType, or no type at all (sections 4.8.14.2 and 4.8.15).
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

function resolved(contract, node) {
  if (node?.$ref === undefined) return node
  const keys = node.$ref
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce((found, key) => found?.[key], contract)
}
`,
  'session.js': `/**
 * Replaces localStorage by sessionStorage, so that Scalar keeps the input of this page, such as a token, only until its
 * tab is closed.
 */
Object.defineProperty(globalThis, 'localStorage', { value: sessionStorage })

/** Time in ms after the last key after which Scalar saves credentials; leaving the page must not lose them. */
const saveDelayMs = 500
const { setTimeout: start, clearTimeout: stop } = globalThis
const unsaved = new Map()

globalThis.setTimeout = (callback, delay, ...values) => {
  if (delay !== saveDelayMs) return start(callback, delay, ...values)
  const run = () => {
    unsaved.delete(timer)
    callback(...values)
  }
  const timer = start(run, delay)
  unsaved.set(timer, run)
  return timer
}
globalThis.clearTimeout = (timer) => {
  unsaved.delete(timer)
  stop(timer)
}
addEventListener('pagehide', () => {
  for (const save of unsaved.values()) save()
})
`,
  'start.js': `/** Starts Scalar on this page. */

// The script of Scalar, which runs after this one, writes an announcement to the console.
const { info } = console
console.info = () => {}

addEventListener('DOMContentLoaded', () => {
  console.info = info
  const { contractUrl, fetchForPage } = globalThis.requestsOfPage
  globalThis.Scalar.createApiReference('#app', {
    url: contractUrl,
    customFetch: fetchForPage,
    documentDownloadType: 'direct',
    modelsSectionLabel: 'Schemas',
    onLoaded: showDownloads,
    persistAuth: true,
    localization: {
      translations: {
        // The default text is wider than its button.
        apiClient: { authSelector: { selectedType: '{type}' } },
        download: { openapi: 'Download the contract: JSON' }
      }
    },
    // Disables the services of the vendor, and links to them.
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false
  })
})

/** Lets the link to the contract download it, and adds one to the file as it was written. */
function showDownloads() {
  const json = document.querySelector('a.download-link')
  if (json === null || document.querySelector('a.download-yaml') !== null) return
  json.download = 'openapi.json'
  const yaml = document.createElement('a')
  const { href } = document.querySelector('link[type="application/yaml"]')
  Object.assign(yaml, { href, className: 'download-yaml', download: 'openapi.yaml', textContent: 'YAML' })
  json.after(yaml)
}

// The editor would handle Tab itself, so the keyboard could not leave it (WCAG 2.2, section 2.1.2).
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Tab' && event.target.closest('.cm-content')) event.stopPropagation()
  },
  { capture: true }
)
`,
  'style.css': `/* Scalar's theme with a green accent and system fonts; the rules below fix its defects on this page. */
:root {
  --scalar-font: system-ui, sans-serif;
  --scalar-font-code: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
.light-mode {
  --scalar-color-accent: #15803d;
  --scalar-background-accent: #15803d1a;
}
.dark-mode {
  --scalar-color-accent: #4ade80;
  --scalar-background-accent: #4ade801a;
}

/* Layout of the page until Scalar has started. */
body {
  margin: 0;
}
.loading {
  font-family: system-ui, sans-serif;
  margin: 6rem auto;
  max-width: 32rem;
  padding: 0 1.5rem;
}

#app:not(:empty) + .loading {
  display: none;
}

/* Puts the first operation on the first screen: less space around sections, no card that only repeats others. */
#app .section {
  padding-block: 1.5rem;
}
#app .introduction-section .badge,
#app .scalar-reference-intro-clients,
#app .tag-section-container .section-column:has(> .scalar-card .endpoints > :only-child) {
  display: none;
}
#app .introduction-description {
  margin-top: 0.5rem;
}
#app .download-container {
  align-items: baseline;
  display: flex;
  flex-direction: row;
  gap: 0.75rem;
}
#app .download-yaml {
  border-bottom: 1px solid;
  color: inherit;
  text-decoration: none;
}
@media (max-width: 1000px) {
  #app .section {
    padding-block: 0.5rem;
  }
  #app .section-column > .markdown,
  #app .introduction-description .markdown,
  #app .operation-description {
    font-size: 0.875rem;
    line-height: 1.4;
  }
  #app .tag-section-container h2 {
    font-size: 1rem;
  }
  #app .tag-section-container > .section:has(h2) {
    padding-block: 0.25rem;
  }
  #app .section-header {
    margin-bottom: 0.25rem;
  }
  #app .introduction-section .section-columns {
    gap: 0.75rem;
  }
  #app .operation-description {
    margin-bottom: 0.5rem;
  }
  #app .scalar-reference-intro-server:not(:has(button)),
  #app .tag-section-container > .section:has(+ * .section) .markdown,
  #app .operation-auth {
    display: none;
  }
  #app .introduction-section {
    position: relative;
  }
  #app .introduction-section .section-header-wrapper > :last-child:not(:first-child) {
    position: absolute;
    right: 1.5rem;
    top: 0.5rem;
  }
}

/* Moves the button, which would overlap the heading. */
#app .show-more {
  margin-top: 0.5rem;
  position: static;
  transform: none;
}

/* Shows the description of a security scheme in full. */
#app .auth-description .markdown-summary {
  -webkit-line-clamp: none;
  display: block;
  white-space: normal;
}
#app .auth-description > button {
  display: none;
}

/* Wraps the tabs of the responses, so that every status can be reached. */
#app [role="tablist"] {
  flex-wrap: wrap;
  height: auto;
}

/* Makes columns as wide as their words; a table that is wider than the page scrolls. */
#app .markdown table {
  display: block;
  max-width: 100%;
  overflow-x: auto;
  width: fit-content;
}
#app .markdown :is(td, th) {
  overflow-wrap: normal;
  word-break: normal;
}

/* Wraps long error messages instead of scrolling. */
[aria-label="Response"] .cm-content {
  flex-shrink: 1;
  overflow-wrap: anywhere;
  white-space: break-spaces;
}

/* Replaces a drawing by a sentence while there is no response. */
[role="dialog"] .ascii-art.ascii-art > span:nth-child(n) {
  display: none;
}
[role="dialog"] .ascii-art::after {
  content: "The response is shown here.";
  text-transform: none;
  font-family: var(--scalar-font);
  font-size: 0.875rem;
}

/* Puts the method at the start of its line on a phone. */
.address-bar-bg-states + .w-full > :first-child {
  margin-inline: 0 auto;
}

/* Makes room for the descenders of truncated names of examples. */
#app .request-card-footer-addon .truncate {
  line-height: 1.5;
}

/* Hides the button, which would cover the address; its sidebar is empty. */
[role="dialog"] .scalar-sidebar-toggle {
  display: none;
}

/* Outlines the focus of the keyboard, except on a section that is the target of a link. */
:is(html, #app, #app *):focus-visible:focus-visible {
  outline: 2px solid var(--scalar-color-accent);
}
#app [tabindex="-1"]:focus-visible:focus-visible {
  outline: none;
}

/* Hides advertising. */
a[href="https://www.scalar.com"] {
  display: none;
}
`
}
