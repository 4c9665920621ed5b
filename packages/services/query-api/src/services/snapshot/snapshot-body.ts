import { setImmediate } from 'node:timers/promises';
import type { FleetSnapshot } from '@tidewatch/contracts/services/fleet-snapshot';
import type { Fleet, FleetChanges, FleetColumns } from '@tidewatch/domain/fleet/fleet-changes';
import { JsonBytes } from '../../http/json-bytes.ts';

const COMMA = Buffer.from(',');
const END_OF_LIST = Buffer.from(']');

/** Hosts whose columns are written without a turn of the event loop in between. */
const HOSTS_OF_A_TURN = 10_000;

type WriteCell = (json: JsonBytes, value: number) => void;

const writeTime: WriteCell = (json, value) => json.time(value);
// What is not finite is null as in JSON.
const writeNumber: WriteCell = (json, value) => json.number(value);

/** How each column is written; null: a list of texts. */
const CELLS: Record<keyof FleetColumns, WriteCell | null> = {
  id: null,
  name: null,
  status: null,
  status_since: writeTime,
  last_seen: writeTime,
  cpu_percent: writeNumber,
  memory_percent: writeNumber,
  disk_percent: writeNumber,
  critical: writeNumber,
  warning: writeNumber,
  info: writeNumber,
};

/** The JSON text of a FleetSnapshot, written straight from columns. */
export async function snapshotBody(
  head: Pick<FleetSnapshot, 'as_of' | 'token'>,
  fleet: Fleet,
  { full, rows, removed }: FleetChanges,
  tags: readonly string[],
): Promise<Buffer> {
  const json = new JsonBytes();
  const text = (piece: string) => json.bytes(Buffer.from(piece));
  text(JSON.stringify({ ...head, full, columns: {} }).slice(0, -2));
  for (const [index, name] of Object.keys(CELLS).entries()) {
    const column = fleet.columns[name as keyof FleetColumns];
    const write = CELLS[name as keyof FleetColumns];
    text(`${index === 0 ? '' : ','}"${name}":`);
    if (write === null) text(JSON.stringify(full ? column : rows.map((row) => column[row])));
    else writeList(json, rows, (row) => write(json, column[row] as number));
    if (rows.length > HOSTS_OF_A_TURN) await setImmediate();
  }
  text('},"tags":{');
  for (const [index, tag] of tags.entries()) {
    const places = new Map<string, number>();
    const column = fleet.tags.get(tag) ?? [];
    for (const row of rows) {
      const value = column[row];
      if (typeof value === 'string' && !places.has(value)) places.set(value, places.size);
    }
    const placeOf = (value: string | null | undefined) =>
      typeof value === 'string' ? (places.get(value) ?? null) : null;
    text(
      `${index === 0 ? '' : ','}${JSON.stringify(tag)}:{"values":${JSON.stringify([...places.keys()])},"index":`,
    );
    writeList(json, rows, (row) => writeNumber(json, placeOf(column[row]) ?? Number.NaN));
    text('}');
    if (rows.length > HOSTS_OF_A_TURN) await setImmediate();
  }
  text(`},"removed":${JSON.stringify(removed)}}`);
  const body = Buffer.from(json.finish());
  json.release();
  return body;
}

function writeList(json: JsonBytes, rows: readonly number[], write: (row: number) => void): void {
  json.bytes(Buffer.from('['));
  for (const [index, row] of rows.entries()) {
    if (index > 0) json.bytes(COMMA);
    write(row);
  }
  json.bytes(END_OF_LIST);
}
