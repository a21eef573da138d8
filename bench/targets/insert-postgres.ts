/** The bare route with one INSERT per request through a pool of `pg`. */
import pg from 'pg'
import { serve } from './bare.ts'

// The pool keeps connections open while other targets are measured.
const pool = new pg.Pool({
  connectionString: String(process.env['DATABASE_URL']),
  max: 10,
  idleTimeoutMillis: 0
})
await pool.query('CREATE TABLE IF NOT EXISTS plants (id bigint PRIMARY KEY, document json NOT NULL)')
const text = 'INSERT INTO plants (id, document) VALUES ($1, $2) ON CONFLICT DO NOTHING'
const url = await serve(({ id, name, tag }) =>
  pool.query({ name: 'insert', text, values: [id, JSON.stringify({ name, tag })] })
)
console.log(url)
