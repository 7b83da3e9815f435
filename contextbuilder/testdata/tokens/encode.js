// Reads texts as JSON strings, one a line; writes their o200k_base token ids
// as JSON arrays, one a line. Special tokens count as plain text.
const { get_encoding } = require('tiktoken')
const encoding = get_encoding('o200k_base')
const lines = require('fs').readFileSync(0, 'utf8').split('\n')
for (const line of lines) {
  if (line) process.stdout.write(JSON.stringify([...encoding.encode(JSON.parse(line), [], [])]) + '\n')
}
