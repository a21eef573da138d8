/** The bare route with one committed INSERT per request, on the main thread. */
import { DatabaseSync } from 'node:sqlite'
import { serve } from './bare.ts'

const database = new DatabaseSync(String(process.argv[2]))
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
database.exec('CREATE TABLE plants (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT')
const insert = database.prepare('INSERT INTO plants (id, document) VALUES (?, ?) ON CONFLICT DO NOTHING')
const url = await serve(({ id, name, tag }) => {
  insert.run(id, JSON.stringify({ name, tag }))
  return undefined
})
console.log(url)
