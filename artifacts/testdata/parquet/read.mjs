// Prints a Parquet file as JSON: first its columns (path, physical and logical
// type), then one row a line. usage: node read.mjs FILE
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

// A structure that is null comes as undefined, which JSON would leave out.
const plain = (key, value) => (typeof value === 'bigint' ? Number(value) : value === undefined ? null : value)
const file = await asyncBufferFromFile(process.argv[2])
const metadata = await parquetMetadataAsync(file)
const columns = metadata.schema.map(({ name, type, repetition_type, logical_type, num_children }) => ({
  name, type, repetition: repetition_type, logical: logical_type, children: num_children,
}))
console.log(JSON.stringify({ rows: Number(metadata.num_rows), groups: metadata.row_groups.length, columns }, plain))
for (const row of await parquetReadObjects({ file, metadata, compressors })) {
  console.log(JSON.stringify(row, plain))
}
