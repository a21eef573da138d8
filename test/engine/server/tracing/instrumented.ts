/** Registers a provider and the instrumentations of http and undici; to be imported before all that they change. */
import { register } from 'node:module'
import process from 'node:process'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import './provider.ts'

// The packages use `module.register`, which Node is to remove.
process.noDeprecation = true
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
new HttpInstrumentation().enable()
new UndiciInstrumentation().enable()
