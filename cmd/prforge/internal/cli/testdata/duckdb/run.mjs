// Runs SQL from standard input with DuckDB in the folder that is the argument, and
// prints how many rows the last statement gave. usage: node run.mjs FOLDER
import { DuckDBInstance } from '@duckdb/node-api'
import { readFileSync } from 'node:fs'

const sql = readFileSync(0, 'utf8')
process.chdir(process.argv[2])
const connection = await (await DuckDBInstance.create(':memory:')).connect()
console.log((await connection.runAndReadAll(sql)).getRows().length)
