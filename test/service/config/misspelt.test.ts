import { test } from 'tap'
import { misspelt } from '../../../src/service/config/config.ts'
import { variablesOf } from '../../../src/service/config/variables.ts'

const namesOf = (all: ReturnType<typeof variablesOf>) => all.map(({ name }) => name)
const all = variablesOf({ tokens: true, defaults: { DATABASE_URL: 'sqlite:x' } })

const cases: readonly { name: string; meant: string | undefined }[] = [
  { name: 'AUTH_TOKEN', meant: 'AUTH_TOKENS' },
  { name: 'AUTH_TOKEN_FILE', meant: 'AUTH_TOKENS_FILE' },
  { name: 'DATABSE_URL', meant: 'DATABASE_URL' },
  { name: 'database_url', meant: 'DATABASE_URL' },
  { name: 'PROT', meant: 'PORT' },
  { name: 'PORTS', meant: 'PORT' },
  { name: 'HOME', meant: undefined },
  { name: 'HOSTNAME', meant: undefined },
  { name: 'NODE_OPTIONS', meant: undefined },
  { name: 'LOGNAME', meant: undefined },
  { name: 'PORT', meant: undefined },
  { name: 'REQUEST_TIMEOUT', meant: undefined },
  { name: 'REQEUST_TIMEOUT', meant: 'REQUEST_TIMEOUT' },
  { name: 'TRUS_TPROXY', meant: 'TRUST_PROXY' }
]

test('a name that is one edit from a variable is a problem that suggests the variable', async (t) => {
  for (const { name, meant } of cases) {
    const want =
      meant === undefined ? [] : [`${name} is not a variable of this service; did you mean ${meant}?`]
    t.strictSame(misspelt([name], namesOf(all)), want, name)
  }
})

test('a variable that the project does not have is not suggested', async (t) => {
  t.strictSame(misspelt(['AUTH_TOKEN', 'DATABSE_URL'], namesOf(variablesOf({}))), [])
})

test('variables of the service itself are compared, too, where their names have several words', async (t) => {
  const own = ['PAGE_SIZE', 'USERS']
  t.strictSame(misspelt(['PAGESIZE', 'USER'], [], own), [
    'PAGESIZE is not a variable of this service; did you mean PAGE_SIZE?'
  ])
  t.strictSame(misspelt(['POST', 'PAGE_SIZE'], ['PORT'], ['POST', ...own]), [], 'is itself a variable')
  t.strictSame(misspelt(['MODE', 'NODE'], [], ['MODE']), [], 'npm sets NODE for its scripts')
})
