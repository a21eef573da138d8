/** Starts Scalar on this page. */

const contractUrl = document.querySelector('link[rel=service-desc]').href

// The script of Scalar, which runs after this one, writes an announcement to the console.
const { info } = console
console.info = () => {}

addEventListener('DOMContentLoaded', () => {
  console.info = info
  globalThis.Scalar.createApiReference('#app', {
    url: contractUrl,
    customFetch: fetchWithServers,
    documentDownloadType: 'direct',
    modelsSectionLabel: 'Schemas',
    // The default text is wider than its button.
    localization: { translations: { apiClient: { authSelector: { selectedType: 'Scheme: {type}' } } } },
    // No service of the vendor, and no link to one.
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false
  })
})

// The editor would handle Tab itself, so the keyboard could not leave it (WCAG 2.2, section 2.1.2).
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Tab' && event.target.closest('.cm-content')) event.stopPropagation()
  },
  { capture: true }
)

/** Resolves server URLs against the URL of the contract (OpenAPI 3.1.0, section 4.8.5), which Scalar does not. */
async function fetchWithServers(input, init) {
  const response = await fetch(input, init)
  if (String(input) !== contractUrl) return response
  const contract = JSON.parse(await response.text())
  for (const server of contract.servers ?? []) server.url = absolute(server.url)
  return Response.json(contract, { status: response.status })
}

/** Keeps the braces of a variable, such as `{region}`. */
function absolute(url) {
  if (/^([a-z][\w+.-]*:|\{)/i.test(url)) return url
  const { href } = new URL(url, contractUrl)
  return href.replace(/\/$/, '').replaceAll('%7B', '{').replaceAll('%7D', '}')
}
