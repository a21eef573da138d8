/** Makes Scalar usable by keyboard and screen reader where it is not. */

// The link must not change the fragment of the URL, which names the section that Scalar shows.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault()
  const content = document.querySelector('main')
  content.tabIndex = -1
  content.focus()
})

/** Names of controls that Scalar leaves without one (WCAG 2.2, section 4.1.2), by their selectors. */
const names = {
  '.scalar-code-copy': () => 'Copy',
  '.code-input-lite__editor': (field) => field.closest('tr')?.querySelector('label')?.textContent,
  '[class*="scopes-accordion"] button:has(> svg:only-child)': () => 'Scopes',
  '[aria-label="Response"] .cm-content': () => 'Response body'
}

new MutationObserver(() => {
  for (const [selector, nameOf] of Object.entries(names))
    for (const control of document.querySelectorAll(`:is(${selector}):not([aria-label])`))
      control.setAttribute('aria-label', nameOf(control) ?? '')
}).observe(document.querySelector('#app'), { childList: true, subtree: true })

// The editor would handle Tab itself, so the keyboard could not leave it (WCAG 2.2, section 2.1.2).
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Tab' && event.target.closest('.cm-content')) event.stopPropagation()
  },
  { capture: true }
)
