/**
 * Opens and draws every section before the page is printed. Scalar draws one when an observer reports that it is near the
 * screen.
 */

const reports = new WeakMap()

globalThis.IntersectionObserver = class extends IntersectionObserver {
  #report

  constructor(report, options) {
    super(report, options)
    this.#report = report
  }

  observe(element) {
    reports.set(element, this.#report)
    super.observe(element)
  }
}

/** Microtasks in which Vue draws sections and the sections inside them. */
const drawingTurns = 100

// All of these microtasks run before the browser lays the page out for the printer.
addEventListener('beforeprint', async () => {
  for (let turn = 0; turn < drawingTurns; turn++) {
    for (const button of document.querySelectorAll('.show-more')) button.click()
    for (const section of document.querySelectorAll('[data-placeholder="true"]'))
      reports.get(section)?.([{ isIntersecting: true, target: section }])
    await undefined
  }
})
