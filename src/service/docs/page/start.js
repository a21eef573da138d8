/** Starts Scalar on this page: what it shows, and what of it is off. */

const contractUrl = document.querySelector('link[rel=service-desc]').href

// Scalar, whose script comes after this one, announces itself in the console.
const { info } = console
console.info = () => {}

addEventListener('DOMContentLoaded', () => {
  console.info = info
  globalThis.Scalar.createApiReference('#app', {
    url: contractUrl,
    customFetch: fetchWithServers,
    documentDownloadType: 'direct',
    modelsSectionLabel: 'Schemas',
    // Its own words are longer than their place.
    localization: { translations: { apiClient: { authSelector: { selectedType: 'Scheme: {type}' } } } },
    // Nothing of its makers: no service of theirs, and nothing that leads there.
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false
  })
})

// The editor would keep Tab for itself, and who has no mouse could not leave it (WCAG 2.2, section 2.1.2).
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Tab' && event.target.closest('.cm-content')) event.stopPropagation()
  },
  { capture: true }
)

/** Servers of a contract are relative to where it was found (OpenAPI 3.1.0, section 4.8.5); Scalar takes them as they are. */
async function fetchWithServers(input, init) {
  const response = await fetch(input, init)
  if (String(input) !== contractUrl) return response
  const contract = JSON.parse(await response.text())
  for (const server of contract.servers ?? []) server.url = absolute(server.url)
  return Response.json(contract, { status: response.status })
}

/** A variable, `{region}`, is no part of a URL yet. */
function absolute(url) {
  if (/^([a-z][\w+.-]*:|\{)/i.test(url)) return url
  const { href } = new URL(url, contractUrl)
  return href.replace(/\/$/, '').replaceAll('%7B', '{').replaceAll('%7D', '}')
}
