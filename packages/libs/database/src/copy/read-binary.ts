import type { Queryable } from '../connection.ts';

/** Behind the signature are flags and the length of an extension, of which PostgreSQL writes none. */
const HEAD_BYTES = 19;
const END = -1;
const NULL = -1;

/** The fields of a row as PostgreSQL sends them in binary; null for null. */
export type BinaryFields = (Buffer | null)[];

/**
 * Reads the rows of a query in binary, by COPY: bytes come as they are, where other answers of the driver have them as text of twice the size.
 * Meant for megabytes, since the query is planned each time. `values` stand in place of `$1`, `$2` and so on, as text; their casts are part
 * of the query. All rows are in memory at once, as parts of one buffer.
 */
export async function readBinary(
  tx: Queryable,
  query: string,
  values: readonly (string | readonly string[])[],
): Promise<BinaryFields[]> {
  const inlined = query.replace(/\$(\d+)/g, (_, place: string) => literalOf(values[Number(place) - 1]));
  const stream = await tx.unsafe(`copy (${inlined}) to stdout (format binary)`).readable();
  const pieces: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', reject);
    stream.on('end', resolve);
  });
  return rowsIn(Buffer.concat(pieces));
}

function rowsIn(bytes: Buffer): BinaryFields[] {
  const rows: BinaryFields[] = [];
  let at = HEAD_BYTES;
  for (;;) {
    let left = bytes.readInt16BE(at);
    at += 2;
    if (left === END) return rows;
    const fields: BinaryFields = [];
    for (; left > 0; left -= 1) {
      const length = bytes.readInt32BE(at);
      at += 4;
      fields.push(length === NULL ? null : bytes.subarray(at, at + length));
      if (length !== NULL) at += length;
    }
    rows.push(fields);
  }
}

/** A constant of a text or an array of texts, which `standard_conforming_strings` reads as it is. */
function literalOf(value: string | readonly string[] | undefined): string {
  if (value === undefined) throw new RangeError('the query has a parameter without a value');
  const text =
    typeof value === 'string'
      ? value
      : `{${value.map((each) => `"${each.replace(/["\\]/g, (sign) => `\\${sign}`)}"`).join(',')}}`;
  return `'${text.replaceAll("'", "''")}'`;
}
