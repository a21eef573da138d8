/** Settings of `npm run release`: one version for the root, its packages and what depends on them. */
const isOurs = (name) => name === 'plant-store' || /^@contract-first\//.test(name)

/** Sets the version of a manifest of this repository, and of the dependencies that are packages of it. */
function raise(manifest, version) {
  if (isOurs(manifest.name)) manifest.version = version
  for (const dependencies of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const name of Object.keys(dependencies).filter(isOurs)) dependencies[name] = version
}

const updater = {
  readVersion: (text) => JSON.parse(text).version,
  writeVersion(text, version) {
    const file = JSON.parse(text)
    const locked = Object.entries(file.packages ?? {}).filter(([path]) => !path.startsWith('node_modules/'))
    for (const manifest of [file, ...locked.map(([, each]) => each)]) raise(manifest, version)
    return `${JSON.stringify(file, null, 2)}\n`
  }
}

const folders = ['engine', 'cli', 'service', 'contract', 'compiler'].map((name) => `src/${name}/`)

export default {
  header: `# Changelog

Written by \`npm run release\` from the subjects of the commits; [docs/releases.md](docs/releases.md) describes what a version
may change. All packages have one version; the contract has its own (\`info.version\` in \`openapi.yaml\`).
`,
  bumpFiles: ['package.json', 'package-lock.json', ...folders.map((folder) => `${folder}package.json`)]
    .concat('examples/tickets/package.json')
    .map((filename) => ({ filename, updater })),
  types: [
    { type: 'feat', section: 'New' },
    { type: 'fix', section: 'Fixed' },
    { type: 'perf', section: 'Faster' },
    ...['build', 'chore', 'ci', 'docs', 'refactor', 'style', 'test'].map((type) => ({ type, hidden: true }))
  ],
  // Without a remote there is no URL that compares two versions.
  writerOpts: { finalizeContext: (context) => ({ ...context, linkCompare: false }) },
  releaseCommitMessageFormat: 'chore(release): version {{currentTag}}'
}
