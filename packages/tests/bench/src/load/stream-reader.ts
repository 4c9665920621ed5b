import { once } from 'node:events';
import { connect } from 'node:net';

/** A reader of events that uses little processor time, so that many readers do not disturb the measurement. */
export interface StreamReader {
  /** The number of received events. */
  count(): number;
  outOfOrder(): number;
  /** The number of reads that contained events. */
  pieces(): number;
  close(): void;
}

export interface StreamReaderOptions {
  url: string;
  key: string;
  /** Called for each event with the number at the end of its id. */
  onEvent(index: number): void;
}

const ID = Buffer.from('id: evt_');
const ID_BYTES = ID.length + 32;
/** Follows the id of an event. A frame with only an id updates the position to resume from and is no event. */
const EVENT = Buffer.from('\nevent: ');
const HEAD = Buffer.from('\r\n\r\n');

/** Opens a stream over plain HTTP and counts its events by their ids, which are consecutive numbers in hex. */
export async function openStreamReader({ url, key, onEvent }: StreamReaderOptions): Promise<StreamReader> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`);
  const state = { count: 0, next: null as number | null, outOfOrder: 0, pieces: 0 };
  let rest: Buffer = Buffer.alloc(0);
  const opened = Promise.withResolvers<void>();
  let isOpen = false;

  function take(bytes: Buffer): void {
    const before = state.count;
    let from = 0;
    for (let at = bytes.indexOf(ID); at !== -1; at = bytes.indexOf(ID, from)) {
      const end = at + ID_BYTES;
      if (end + EVENT.length > bytes.length) break;
      from = end;
      if (bytes.compare(EVENT, 0, EVENT.length, end, end + EVENT.length) !== 0) continue;
      const index = Number.parseInt(bytes.toString('latin1', end - 8, end), 16);
      if (index !== (state.next ?? index)) state.outOfOrder += 1;
      state.next = index + 1;
      state.count += 1;
      onEvent(index);
    }
    if (state.count > before) state.pieces += 1;
    rest = bytes.subarray(Math.max(from, bytes.length - ID_BYTES - EVENT.length));
  }

  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (isOpen) return take(bytes);
    rest = bytes;
    if (!bytes.includes(HEAD)) return;
    if (!bytes.toString('latin1', 0, 12).endsWith(' 200')) {
      opened.reject(new Error(`a stream was refused: ${bytes.toString('latin1', 0, 200)}`));
      return;
    }
    isOpen = true;
    opened.resolve();
    take(bytes);
  });
  socket.once('close', () => opened.reject(new Error('a stream ended before it began')));
  socket.on('error', (error) => opened.reject(error));
  await opened.promise;
  return {
    count: () => state.count,
    outOfOrder: () => state.outOfOrder,
    pieces: () => state.pieces,
    close: () => socket.destroy(),
  };
}
