/** The files of deploy/: the Kubernetes manifest by the types of its API, the dashboard by /metrics. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { loadAll } from 'js-yaml'
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts'
import type { Service } from 'kubernetes-types/core/v1.d.ts'
import t, { type Test, test } from 'tap'
import ts from 'typescript'
import manifest from '../package.json' with { type: 'json' }
import { variables } from '../src/plants/product.ts'
import { variablesOf } from '../src/service/config/variables.ts'
import { createMetrics, listenForMetrics } from '../src/service/observability/metrics.ts'

t.setTimeout(900_000)

type Documents = [Deployment, Service, object]
const documents = loadAll(readFileSync('deploy/kubernetes.yaml', 'utf8')) as Documents
const [deployment, service] = documents

/** Returns the first line of each error of the type checker for a file that the test writes. */
function typeErrors(t: Test, text: string): string[] {
  const file = join(t.testdir(), 'manifest.ts')
  writeFileSync(file, text)
  const { NodeNext } = ts.ModuleKind
  const options = { strict: true, noEmit: true, skipLibCheck: true, module: NodeNext, types: [] }
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([file], options))
  return problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** Literals, in which TypeScript reports names that the API does not have. */
const literals = (given: readonly object[]): string => `
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts'
import type { Service } from 'kubernetes-types/core/v1.d.ts'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts'
export const given: [Deployment, Service, PodDisruptionBudget] = ${JSON.stringify(given)}
`

test('the manifest fits the API of Kubernetes, with no name that it does not have', async (t) => {
  t.strictSame(typeErrors(t, literals(documents)), [])
  const misspelt = JSON.parse(JSON.stringify(documents).replace('readinessProbe', 'readynessProbe'))
  t.match(typeErrors(t, literals(misspelt)).join(), /readynessProbe\W+does not exist in type 'Container'/)
  const mistyped = JSON.parse(JSON.stringify(documents).replace(/"replicas":\d+/, '"replicas":"two"'))
  t.match(typeErrors(t, literals(mistyped)).join(), /'string' is not assignable to type 'number'/)
})

const pod = deployment.spec?.template.spec
const [container] = pod?.containers ?? []

test('a pod is probed, drained, bounded, and has no rights that it does not need', async (t) => {
  t.match(container, {
    startupProbe: { httpGet: { path: '/-/live' } },
    livenessProbe: { httpGet: { path: '/-/live' } },
    readinessProbe: { httpGet: { path: '/-/ready' } },
    resources: { requests: { cpu: String, memory: String }, limits: { cpu: String, memory: String } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] }
    }
  })
  t.match(pod, {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } }
  })
  const { default: drain } = variablesOf(variables).find(({ name }) => name === 'SHUTDOWN_TIMEOUT') ?? {}
  const pause = Number(container?.lifecycle?.preStop?.sleep?.seconds)
  t.ok(
    Number(pod?.terminationGracePeriodSeconds) >= pause + Number(drain) / 1000 + 2,
    'the pod may end in peace'
  )
  t.equal(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable, 0)
})

test('the manifest names variables, ports, labels and a version that are there', async (t) => {
  const known = variablesOf(variables).map(({ name }) => name)
  for (const { name } of container?.env ?? []) t.ok(known.includes(name), name)
  t.strictSame(service.spec?.selector, deployment.spec?.selector.matchLabels)
  t.match(deployment.spec?.template.metadata?.labels, deployment.spec?.selector.matchLabels)
  const ports = container?.ports?.map(({ name }) => name)
  for (const { targetPort } of service.spec?.ports ?? []) t.ok(ports?.includes(String(targetPort)))
  t.match(container?.image, new RegExp(`:${manifest.version}$`))
})

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}
const { panels }: Dashboard = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8'))
const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })))

/** Returns the texts of the nodes of a query: names of metrics, of labels, and what is no PromQL. */
function partsOf(query: string): Record<'metrics' | 'labels' | 'errors', string[]> {
  const text = query.replaceAll('$__rate_interval', '5m')
  const [metrics, labels, errors]: [string[], string[], string[]] = [[], [], []]
  const kinds: Readonly<Record<string, string[]>> = { Identifier: metrics, LabelName: labels, '⚠': errors }
  parser.parse(text).iterate({
    enter: ({ name, from, to }) => void kinds[name]?.push(text.slice(from, to))
  })
  return { metrics, labels, errors }
}

test('every query of the dashboard is PromQL on metrics and labels that /metrics has', async (t) => {
  const metrics = createMetrics()
  metrics.request('createPlant', 201, 5)
  metrics.refusal(4001)
  const store = metrics.watchStore()
  store.commit({ size: 1, milliseconds: 1, error: undefined })
  store.watchQueue(() => 0)
  const listener = await listenForMetrics(metrics.registry, 0)
  t.teardown(() => listener.close())
  const lines = (await (await fetch(listener.url)).text()).split('\n').filter((line) => /^[a-z]/.test(line))
  const names = new Set(lines.map((line) => /^\w+/.exec(line)?.[0] ?? ''))
  const labels = new Set(lines.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, name]) => name)))
  for (const { title, expr } of queries) {
    const parts = partsOf(expr)
    t.strictSame(parts.errors, [], expr)
    t.ok(parts.metrics.length > 0, title)
    for (const name of parts.metrics) t.ok(names.has(name), `${title}: ${name}`)
    // Prometheus adds the last two.
    for (const name of parts.labels)
      t.ok(labels.has(name) || /^(?:job|instance)$/.test(name), `${title}: ${name}`)
  }
  const shown = new Set(queries.flatMap(({ expr }) => partsOf(expr).metrics))
  const own = [...names]
    .filter((name) => /^(?:http|store)_/.test(name))
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
  for (const name of new Set(own))
    t.ok(
      [...shown].some((each) => each.startsWith(name)),
      `${name} is shown`
    )
  t.match(partsOf('sum(rate(a{b="c"}[5m])').errors, [''], 'a query that is no PromQL is noticed')
})
