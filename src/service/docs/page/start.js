/** Starts Scalar on this page. */

// The script of Scalar, which runs after this one, writes an announcement to the console.
const { info } = console
console.info = () => {}

addEventListener('DOMContentLoaded', () => {
  console.info = info
  const files = performance.getEntriesByType('resource')
  if (files.some(({ responseStatus }) => responseStatus === 503)) return void setTimeout(loadAgain, 2_000)
  const { contractUrl, fetchForPage } = globalThis.requestsOfPage
  globalThis.Scalar.createApiReference('#app', {
    url: contractUrl,
    customFetch: fetchForPage,
    documentDownloadType: 'direct',
    modelsSectionLabel: 'Schemas',
    orderRequiredPropertiesFirst: false,
    orderSchemaPropertiesBy: 'preserve',
    onLoaded: completeHeading,
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

/** Loads the page anew, as soon as it is served: a busy service has refused one of its files. */
async function loadAgain() {
  const { ok } = await fetch(location.href).catch(() => ({ ok: false }))
  if (ok) location.reload()
  else setTimeout(loadAgain, 2_000)
}

/**
 * Adds the version as it is written, which Scalar shows with a `v` before it. Lets the link to the contract download it, and
 * adds one to the file as it was written.
 */
function completeHeading() {
  const json = document.querySelector('a.download-link')
  if (json === null || document.querySelector('a.download-yaml') !== null) return
  json.download = 'openapi.json'
  const yaml = document.createElement('a')
  const { href } = document.querySelector('link[type="application/yaml"]')
  Object.assign(yaml, { href, className: 'download-yaml', download: 'openapi.yaml', textContent: 'YAML' })
  json.after(yaml)
  const version = document.createElement('span')
  Object.assign(version, {
    className: 'version',
    textContent: document.querySelector('.loading .version').textContent
  })
  json.before(version)
}
