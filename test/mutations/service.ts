/** Guarantees of a service with plugins, routes and variables of its own. */
import type { Mutation } from './mutation.ts'

const extended = { test: 'service/extend.test.ts' }
const run = { test: 'service/run.test.ts' }

export const service: readonly Mutation[] = [
  {
    guarantee: 'a route that the contract or every service has refuses the start',
    file: 'src/service/build.ts',
    search: '  refuseCollisions(routes, contract, base)\n',
    replacement: '',
    ...extended
  },
  {
    guarantee: 'a start that fails closes the plugins of extend',
    file: 'src/service/build.ts',
    search: '      opening.adopt(opened, () => opened.close())\n',
    replacement: '      opening.defer(() => undefined)\n',
    ...extended
  },
  {
    guarantee: 'routes beside the contract are below the path of BASE_URL',
    file: 'src/service/http/routes-beside.ts',
    search: '  setRoutePrefix(app, basePath)\n',
    replacement: '  setRoutePrefix(app, basePath.slice(0, 0))\n',
    ...extended
  },
  {
    guarantee: 'routes beside the contract are counted by RATE_LIMIT',
    file: 'src/service/http/load.ts',
    search: ' && patternBeside(request) === undefined',
    replacement: '',
    ...extended
  },
  {
    guarantee: 'an error handler of extend leaves the errors of the contract alone',
    file: 'src/engine/server.ts',
    search: '      routes.setErrorHandler(handleError)\n',
    replacement: '',
    ...extended
  },
  {
    guarantee: 'schemas of headers beside the contract are read without regard to case',
    file: 'src/service/build.ts',
    search: '      declareOwnValidators(opened)\n',
    replacement: '',
    test: 'service/extend.test.ts'
  },
  {
    guarantee: 'background work ends before the store is closed',
    file: 'src/service/run.ts',
    search: '  opening.defer(work.end)\n',
    replacement: '',
    ...run
  },
  {
    guarantee: 'a service does not listen before start has succeeded',
    file: 'src/service/run.ts',
    search: '  await work.started\n',
    replacement: '',
    ...run
  },
  {
    guarantee: 'a service that a signal ends during start does not listen',
    file: 'src/service/run.ts',
    search: "  refuseEnded(ending)\n  await listening('HOST and PORT'",
    replacement: "  await listening('HOST and PORT'",
    ...run
  },
  {
    guarantee: 'a stop that hangs does not keep the store open',
    file: 'src/service/run.ts',
    search: 'Promise.race([stopped, tooLong])',
    replacement: 'Promise.race([stopped])',
    ...run
  },
  {
    guarantee: 'the value of a wrong variable is not shown',
    file: 'src/service/config/config.ts',
    search: "sentence.replaceAll(whole, '…')",
    replacement: 'sentence',
    test: 'service/config/config.test.ts'
  },
  {
    guarantee: 'a variable without a default is required',
    file: 'src/service/config/config.ts',
    search: "  if (!Object.hasOwn(variable, 'default')) throw",
    replacement: "  if (Object.hasOwn(variable, 'nothing')) throw",
    test: 'service/config/config.test.ts'
  },
  {
    guarantee: 'hooks for preClose of extend run when the drain begins',
    file: 'src/service/build.ts',
    search: 'Promise.all([drainRequests(app, timeout), runPreClose()])',
    replacement: 'Promise.all([drainRequests(app, timeout)])',
    test: 'service/run-main.test.ts'
  }
]
