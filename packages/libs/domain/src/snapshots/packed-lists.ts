import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { type PackedTexts, readColumn, readColumnOf, requireIndex, writeColumn } from './packed-columns.ts';

/** What lists contain: processes, which have a pid, or containers. */
export interface ListedItem {
  name: string;
  pid?: number;
  [field: string]: string | number | undefined;
}

/** An item and the lists that contain it, by their index, ascending. */
interface Track {
  name: string;
  pid: number;
  items: ListedItem[];
  lists: number[];
}

/** The order of lists: by use, as agents sort processes, or any other, which has to be written. */
const BY_USE = 0;
const AS_LISTED = 1;

/**
 * Writes lists of one host, of which one mostly contains what the one before contains. Columns hold all lists of the first item, then of
 * the second, and so on.
 *
 *   lists = order, names (indexes of texts), pids, where the items are, count of fields, field*
 *   where, by use:    count of stretches of each item (0: it is in every list), gap and length of each stretch
 *   where, as listed: length of each list, items in their order
 *   field = index of its name * 2 + (1 for texts), values
 *
 * A list may contain an item of one name and pid more than once. Throws RangeError for Infinity.
 */
export function writeLists(
  into: ByteWriter,
  lists: readonly (readonly ListedItem[])[],
  texts: PackedTexts,
): void {
  const { tracks, indexes } = trackItems(lists);
  const order = lists.every(isByUse) ? BY_USE : AS_LISTED;
  const ordered = order === BY_USE ? tracks.toSorted(byIdentity) : tracks;
  into.byte(order);
  writeColumn(
    into,
    ordered.map(({ name }) => texts.indexOf(name)),
  );
  writeColumn(
    into,
    ordered.map(({ pid }) => pid),
  );
  if (order === BY_USE) writeStretches(into, ordered, lists.length);
  else {
    writeColumn(
      into,
      lists.map(({ length }) => length),
    );
    writeColumn(into, indexes.flat());
  }
  const items: ListedItem[] = [];
  for (const track of ordered) for (const item of track.items) items.push(item);
  const fields = fieldsOf(items);
  into.varint(fields.length);
  for (const { field, isText } of fields) {
    into.varint(texts.indexOf(field) * 2 + (isText ? 1 : 0));
    const column = new Float64Array(items.length);
    for (let index = 0; index < items.length; index += 1) {
      const value = (items[index] as ListedItem)[field];
      column[index] =
        typeof value === 'string' && isText
          ? texts.indexOf(value)
          : typeof value === 'number' && !isText
            ? value
            : Number.NaN;
    }
    writeColumn(into, column);
  }
}

/** Reads as many lists as were written; their items have new objects. */
export function readLists(from: ByteReader, count: number, texts: readonly string[]): ListedItem[][] {
  const order = from.byte();
  if (order > AS_LISTED) throw new MalformedBytesError(`lists of the unknown order ${order}`);
  const names = readColumn(from);
  const pids = readColumnOf(from, names.length);
  const tracks: Track[] = [];
  for (let at = 0; at < names.length; at += 1) {
    const name = texts[requireIndex(names[at], texts.length)] as string;
    tracks.push({ name, pid: pids[at] as number, items: [], lists: [] });
  }
  const listed = order === BY_USE ? readStretches(from, tracks, count) : readListed(from, tracks, count);
  const items: ListedItem[] = [];
  for (const track of tracks)
    for (let index = 0; index < track.lists.length; index += 1) {
      const item = newItem(track);
      track.items.push(item);
      items.push(item);
    }
  for (let rest = from.varint(); rest > 0; rest -= 1) readField(from, items, texts);
  const lists: ListedItem[][] = [];
  for (let list = 0; list < count; list += 1) lists.push([]);
  if (listed === null) {
    for (const track of tracks)
      for (let index = 0; index < track.lists.length; index += 1)
        lists[track.lists[index] as number]?.push(track.items[index] as ListedItem);
    for (const list of lists) list.sort(compareUse);
    return lists;
  }
  const next = new Uint32Array(tracks.length);
  for (const [list, members] of listed.entries())
    for (const at of members) {
      const track = tracks[at] as Track;
      lists[list]?.push(track.items[next[at] as number] as ListedItem);
      next[at] = (next[at] as number) + 1;
    }
  return lists;
}

/** Finds the same items in several lists; `indexes` are those of the tracks of each list. */
function trackItems(lists: readonly (readonly ListedItem[])[]): { tracks: Track[]; indexes: number[][] } {
  const tracks: Track[] = [];
  const byName = new Map<string, Map<number | undefined, number>>();
  // The track of an item that a list has once more, by that of the first.
  const repeats = new Map<number, number>();
  const add = ({ name, pid = Number.NaN }: ListedItem): number =>
    tracks.push({ name, pid, items: [], lists: [] }) - 1;
  const indexes = lists.map((list, at) =>
    list.map((item) => {
      let byPid = byName.get(item.name);
      if (byPid === undefined) {
        byPid = new Map();
        byName.set(item.name, byPid);
      }
      let index = byPid.get(item.pid);
      if (index === undefined) {
        index = add(item);
        byPid.set(item.pid, index);
      }
      while (tracks[index]?.lists.at(-1) === at) {
        const next: number = repeats.get(index) ?? add(item);
        repeats.set(index, next);
        index = next;
      }
      const track = tracks[index] as Track;
      track.items.push(item);
      track.lists.push(at);
      return index;
    }),
  );
  return { tracks, indexes };
}

function writeStretches(into: ByteWriter, tracks: readonly Track[], count: number): void {
  const counts: number[] = [];
  const stretches: number[] = [];
  for (const { lists } of tracks) {
    if (lists.length === count) {
      counts.push(0);
      continue;
    }
    let [found, end] = [0, 0];
    for (let index = 0; index < lists.length; ) {
      const first = lists[index] as number;
      let length = 1;
      while (lists[index + length] === first + length) length += 1;
      stretches.push(first - end, length);
      end = first + length;
      index += length;
      found += 1;
    }
    counts.push(found);
  }
  writeColumn(into, counts);
  writeColumn(into, stretches);
}

function readStretches(from: ByteReader, tracks: readonly Track[], count: number): null {
  const counts = readColumnOf(from, tracks.length);
  const stretches = readColumn(from);
  let at = 0;
  for (const [index, track] of tracks.entries()) {
    const found = requireIndex(counts[index], count + 1);
    if (found === 0) for (let list = 0; list < count; list += 1) track.lists.push(list);
    let list = 0;
    for (const last = at + 2 * found; at < last; at += 2) {
      list += requireIndex(stretches[at], count - list);
      const end = list + requireIndex(stretches[at + 1], count - list + 1);
      for (; list < end; list += 1) track.lists.push(list);
    }
  }
  if (at !== stretches.length) throw new MalformedBytesError('stretches of no item');
  return null;
}

/** Returns the indexes of the items of each list. */
function readListed(from: ByteReader, tracks: readonly Track[], count: number): number[][] {
  const lengths = readColumnOf(from, count);
  const indexes = readColumn(from);
  let at = 0;
  const listed = Array.from(lengths, (length, list) => {
    const first = at;
    at += requireIndex(length, indexes.length - at + 1);
    return Array.from(indexes.subarray(first, at), (index) => {
      const own = requireIndex(index, tracks.length);
      tracks[own]?.lists.push(list);
      return own;
    });
  });
  if (at !== indexes.length) throw new MalformedBytesError('items of no list');
  return listed;
}

function readField(from: ByteReader, items: readonly ListedItem[], texts: readonly string[]): void {
  const field = from.varint();
  const name = texts[requireIndex(field >>> 1, texts.length)] as string;
  const isText = field % 2 === 1;
  const column = readColumnOf(from, items.length);
  for (let index = 0; index < items.length; index += 1) {
    const value = column[index] as number;
    if (Number.isNaN(value)) continue;
    const item = items[index] as ListedItem;
    item[name] = isText ? texts[requireIndex(value, texts.length)] : value;
  }
}

const newItem = ({ name, pid }: Track): ListedItem => (Number.isNaN(pid) ? { name } : { name, pid });

/** The fields beside name and pid that any item has, once as texts and once as numbers. */
function fieldsOf(items: readonly ListedItem[]): { field: string; isText: boolean }[] {
  const texts = new Set<string>();
  const numbers = new Set<string>();
  for (const item of items)
    for (const field in item) {
      const value = item[field];
      if (typeof value === 'string') texts.add(field);
      else if (value !== undefined) numbers.add(field);
    }
  texts.delete('name');
  numbers.delete('pid');
  return [
    ...[...numbers].map((field) => ({ field, isText: false })),
    ...[...texts].map((field) => ({ field, isText: true })),
  ];
}

/** Whether sorting by use restores the order of a list. */
const isByUse = (list: readonly ListedItem[]): boolean =>
  list.every(
    (item, index) =>
      item.pid !== undefined && (index === 0 || compareUse(list[index - 1] as ListedItem, item) < 0),
  );

function compareUse(a: ListedItem, b: ListedItem): number {
  return (
    numberOf(b['cpu_percent']) - numberOf(a['cpu_percent']) ||
    numberOf(b['memory_rss']) - numberOf(a['memory_rss']) ||
    numberOf(a.pid) - numberOf(b.pid)
  );
}

const numberOf = (value: string | number | undefined): number => (typeof value === 'number' ? value : 0);

const byIdentity = (a: Track, b: Track): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.pid - b.pid;
