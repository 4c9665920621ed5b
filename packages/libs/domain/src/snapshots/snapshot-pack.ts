import { ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { requireEnd } from '../chunk/checked-head.ts';
import { checksum } from '../chunk/checksum.ts';
import type { HostSnapshot, SnapshotMember } from './host-snapshot.ts';
import {
  PackedTexts,
  readColumn,
  readColumnOf,
  readTexts,
  requireIndex,
  writeColumn,
} from './packed-columns.ts';
import { type ListedItem, readLists, writeLists } from './packed-lists.ts';

const VERSION = 1;
const CHECKED_FROM = 5;
const MEMBERS = ['processes', 'containers'] as const;

/** Reused by every call, since each is synchronous. */
const scratch = {
  head: new ByteWriter(),
  packed: new ByteWriter(),
  host: new ByteWriter(),
  lists: new ByteWriter(),
};

/** The max number of snapshots of a host in a pack. */
export const MAX_PACKED_SNAPSHOTS = 3_600;

/** Snapshots of one host in the order of their times. */
export interface HostSnapshots {
  serviceId: string;
  snapshots: HostSnapshot[];
}

/**
 * Packs snapshots of hosts. Each text is written once, and numbers as columns:
 *
 *   pack = version (1 byte), checksum of what follows (4 bytes), texts, count of hosts, host*
 *   host = index of the id of its service, length, times, which snapshots have processes, which have containers, processes, containers
 *   processes, containers = length, lists of the snapshots that have them
 *
 * Every list is read back as it was, with its order; fields that are undefined are left out. Throws RangeError for more than
 * MAX_PACKED_SNAPSHOTS and for Infinity.
 */
export function packSnapshots(hosts: readonly HostSnapshots[]): Buffer {
  const texts = new PackedTexts();
  const { head, packed, host } = scratch;
  head.reset();
  packed.reset();
  packed.varint(hosts.length);
  for (const { serviceId, snapshots } of hosts) {
    if (snapshots.length > MAX_PACKED_SNAPSHOTS)
      throw new RangeError(
        `${snapshots.length} snapshots; a host has at most ${MAX_PACKED_SNAPSHOTS} in a pack`,
      );
    host.reset();
    writeHost(host, snapshots, texts);
    packed.varint(texts.indexOf(serviceId));
    packed.varint(host.length);
    packed.raw(host.bytes());
  }
  head.byte(VERSION);
  head.uint32(0);
  texts.write(head);
  const bytes = Buffer.concat([head.bytes(), packed.bytes()]);
  bytes.writeUInt32LE(checksum(bytes, CHECKED_FROM), 1);
  return bytes;
}

/** What is read of a pack. */
interface Wanted {
  /** The host whose snapshots are wanted; those of all by default. */
  serviceId?: string | undefined;
  /** The lists that are wanted; both by default. Snapshots lack the other. */
  member?: SnapshotMember | undefined;
}

/** The snapshots of all hosts, or of one. Throws MalformedBytesError for bytes that `packSnapshots` did not write. */
export function unpackSnapshots(bytes: Buffer, { serviceId, member }: Wanted = {}): HostSnapshots[] {
  return readHosts(bytes, serviceId).map(({ id, heads, lists, texts }) => {
    const snapshots = heads.map(({ time }): HostSnapshot => ({ time, containers: null, processes: null }));
    for (const each of MEMBERS) {
      const own = new ByteReader(lists.raw(lists.count()));
      if (member !== undefined && member !== each) continue;
      const having = snapshots.filter((_, index) => heads[index]?.[each] === true);
      if (having.length > 0) fillLists(having, each, readLists(own, having.length, texts));
      requireEnd(own);
    }
    requireEnd(lists);
    return { serviceId: id, snapshots };
  });
}

/** A time (ms) and the lists that a snapshot of it has. */
export interface SnapshotHead {
  time: number;
  containers: boolean;
  processes: boolean;
}

/** The times of the snapshots of a host in a pack, without their lists; none if the pack has none of it. */
export function unpackHeads(bytes: Buffer, serviceId: string): SnapshotHead[] {
  return readHosts(bytes, serviceId)[0]?.heads ?? [];
}

function writeHost(into: ByteWriter, snapshots: readonly HostSnapshot[], texts: PackedTexts): void {
  writeColumn(
    into,
    snapshots.map(({ time }) => time),
  );
  for (const member of MEMBERS)
    writeColumn(
      into,
      snapshots.map((snapshot) => (snapshot[member] === null ? 0 : 1)),
    );
  const own = scratch.lists;
  for (const member of MEMBERS) {
    own.reset();
    const lists = snapshots.flatMap((snapshot) => itemsOf(snapshot, member));
    if (lists.length > 0) writeLists(own, lists, texts);
    into.varint(own.length);
    into.raw(own.bytes());
  }
}

function itemsOf(snapshot: HostSnapshot, member: SnapshotMember): ListedItem[][] {
  const list = snapshot[member];
  return list === null ? [] : [list as ListedItem[]];
}

function fillLists(having: readonly HostSnapshot[], member: SnapshotMember, lists: ListedItem[][]): void {
  for (const [index, snapshot] of having.entries())
    if (member === 'processes') snapshot.processes = lists[index] as ProcessInfo[];
    else snapshot.containers = lists[index] as Container[];
}

/** Checks a pack and reads what precedes the lists of its hosts, or of one. */
function readHosts(bytes: Buffer, serviceId?: string) {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version !== VERSION) throw new MalformedBytesError(`the unknown version ${version}`);
  if (reader.uint32() !== checksum(bytes, CHECKED_FROM))
    throw new MalformedBytesError('the bytes differ from their checksum');
  const texts = readTexts(reader);
  const hosts = [];
  for (let rest = reader.varint(); rest > 0; rest -= 1) {
    const id = texts[requireIndex(reader.varint(), texts.length)] as string;
    const lists = new ByteReader(reader.raw(reader.count()));
    if (serviceId === undefined || id === serviceId)
      hosts.push({ id, heads: readHeads(lists), lists, texts });
  }
  requireEnd(reader);
  return hosts;
}

function readHeads(from: ByteReader): SnapshotHead[] {
  const times = readColumn(from);
  const processes = readColumnOf(from, times.length);
  const containers = readColumnOf(from, times.length);
  return Array.from(times, (time, index) => ({
    time,
    processes: processes[index] === 1,
    containers: containers[index] === 1,
  }));
}
