import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { COLON, type Cursor, LIST, LIST_END, wordOf } from '../cursor.ts';
import { decodeContainers, decodeProcessCounts, decodeProcesses } from '../decode-members.ts';
import { scanMember } from './member-scanner.ts';
import { PartScanner } from './part-scanner.ts';
import type { TextReader } from './text-reader.ts';

const CONTAINERS = wordOf('docker_containers"');
const PROCESSES = wordOf('processes"');
const PROCESS_COUNTS = wordOf('process_counts"');
const PARTS = wordOf('parts"');

/** The members of a payload that it has beside those of every payload; a member is absent where the payload has none. */
export type FurtherMembers = Pick<Payload, 'containers' | 'processes' | 'processCounts' | 'parts'>;

/** Reads the further members of payloads: parts from their bytes, the others parsed, each alone. */
export class FurtherMemberScanner {
  readonly #cursor: Cursor;
  readonly #parts: PartScanner;

  constructor(cursor: Cursor, texts: TextReader) {
    this.#cursor = cursor;
    this.#parts = new PartScanner(cursor, texts);
  }

  /** Reads the member whose name is next into `read`; returns false where the body must be parsed. */
  read(host: string | null, read: FurtherMembers): boolean {
    const cursor = this.#cursor;
    if (cursor.takeWord(PARTS)) return this.#readParts(host, read);
    if (cursor.takeWord(CONTAINERS)) {
      const containers = scanMember(cursor, (value, faults, ignored) =>
        decodeContainers(value, '', faults, ignored),
      );
      if (containers === null || read.containers !== undefined) return false;
      read.containers = containers;
      return true;
    }
    if (cursor.takeWord(PROCESSES)) {
      const processes = scanMember(cursor, (value, faults, ignored) =>
        decodeProcesses(value, '', faults, ignored),
      );
      if (processes === null || read.processes !== undefined) return false;
      read.processes = processes;
      return true;
    }
    if (!cursor.takeWord(PROCESS_COUNTS)) return false;
    const counts = scanMember(cursor, (value, faults) => decodeProcessCounts(value, '', faults));
    if (counts === null || read.processCounts !== undefined) return false;
    read.processCounts = counts;
    return true;
  }

  #readParts(host: string | null, read: FurtherMembers): boolean {
    const cursor = this.#cursor;
    // Parts are remembered by their host, which senders name first.
    if (host === null || !cursor.take(COLON) || !cursor.take(LIST)) return false;
    // An empty list, which may be named twice, is parsed.
    if (read.parts !== undefined || cursor.take(LIST_END)) return false;
    const parts = this.#parts.read(host);
    if (parts === null) return false;
    read.parts = parts;
    return true;
  }
}
