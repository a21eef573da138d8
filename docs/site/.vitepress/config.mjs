import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Returns the links of a text to pages, as an entry of the sidebar. */
const group = (title, markdown, folder) => ({
  text: title,
  collapsed: folder !== '/docs/',
  items: [...markdown.matchAll(/\[([^\]]+)\]\(([^)]+)\.md\)/g)].map(([, text, path]) => ({
    text,
    link: new URL(path, `http://site${folder}`).pathname.replace(/README$/, '')
  }))
})

const read = (page) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
const [start, ...others] = read('README.md')
  .split(/^## /m)
  .slice(1)
  .map((part) => group(part.slice(0, part.indexOf('\n')), part, '/docs/'))
const sidebar = [start, group('Tasks', read('tasks/README.md'), '/docs/tasks/'), ...others]

export default {
  title: 'Plant Store',
  description: 'A contract-first HTTP service, and the engine under it',
  srcDir: '../..',
  srcExclude: ['{bench,coverage,data,dist,generated,packages,scripts,test,test-results}/**', 'src/tools/**'],
  outDir: 'dist',
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  lastUpdated: false,
  // Text such as <ID> is text.
  markdown: {
    config: (md) => {
      const { normalizeLink } = md
      md.normalizeLink = (url) => normalizeLink(url.replace(/README\.md(?=#|$)/, 'index.md'))
    },
    html: false,
    languageAlias: { console: 'shellsession', text: 'txt' },
    lineNumbers: false
  },
  // The pages are above this package, outside of where Vite looks for Vue.
  vite: { resolve: { alias: { vue: fileURLToPath(new URL('../node_modules/vue', import.meta.url)) } } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tasks', link: '/docs/tasks/' },
      { text: 'Reference', link: '/docs/#reference' },
      { text: 'Changelog', link: '/CHANGELOG' }
    ],
    sidebar,
    docFooter: { prev: false, next: false }
  }
}
