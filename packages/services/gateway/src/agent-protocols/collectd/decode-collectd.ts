import { exampleOf, labelList } from '../points/label-list.ts';
import { omitValue } from '../points/value-point.ts';
import type { PointSink, SeriesRef } from '../series/point-sink.ts';
import type { SeriesType } from '../series/sent-series.ts';
import { MalformedBodyError } from '../wire/malformed-body-error.ts';
import { parseJsonBody } from '../wire/parse-json-body.ts';

/** How many values are read before other requests are served. */
const TURN = 1_000;
/** Begins the hashes of this protocol, so that none is that of another one's bytes. */
const PROTOCOL_CODE = 3;

const TYPES: ReadonlyMap<string, SeriesType> = new Map([
  ['gauge', 'gauge'],
  ['derive', 'counter'],
  ['counter', 'counter'],
  ['absolute', 'delta'],
]);

/** A list of values as collectd's plugin write_http writes it. */
interface ValueList {
  values: unknown[];
  dstypes: string[];
  dsnames: string[];
  /** Seconds since the epoch. */
  time: number;
  /** Seconds; 0 if unknown. */
  interval: number;
  host: string;
  plugin: string;
  plugin_instance: string;
  type: string;
  type_instance: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** What is wrong with an entry of the body, or the entry. */
function readEntry(entry: unknown): ValueList | string {
  if (entry === null || typeof entry !== 'object') return 'must be an object';
  const list = entry as Record<string, unknown>;
  const { values, dstypes, dsnames, time, interval = 0 } = list;
  if (!Array.isArray(values)) return 'values must be a list';
  for (const [name, names] of [
    ['dstypes', dstypes],
    ['dsnames', dsnames],
  ] as const)
    if (!Array.isArray(names) || names.length !== values.length || !names.every(isText))
      return `${name} must be a list of as many texts as there are values`;
  for (const name of ['host', 'plugin', 'type'])
    if (!isText(list[name]) || list[name] === '') return `${name} must be a text that is not empty`;
  for (const name of ['plugin_instance', 'type_instance'])
    if (list[name] !== undefined && !isText(list[name])) return `${name} must be a text`;
  if (typeof time !== 'number') return 'time must be a number of seconds';
  if (typeof interval !== 'number' || interval < 0) return 'interval must be a number of seconds';
  return {
    ...list,
    interval,
    plugin_instance: list['plugin_instance'] ?? '',
    type_instance: list['type_instance'] ?? '',
  } as ValueList;
}

/** Finds or describes the series of one value; undefined if a text is no valid Unicode. */
function seriesOf(sink: PointSink, list: ValueList, type: SeriesType, dsname: string): SeriesRef | undefined {
  const { host, plugin, plugin_instance, type_instance } = list;
  const { hash } = sink;
  hash.begin();
  hash.number(PROTOCOL_CODE);
  for (const text of [host, plugin, plugin_instance, list.type, type_instance, dsname, type]) hash.text(text);
  const { high, low } = hash;
  const found = sink.find(high, low);
  if (found !== undefined) return found;
  const name = `collectd.${plugin}.${list.type}${dsname === 'value' ? '' : `.${dsname}`}`;
  const labels = labelList([
    'host',
    host,
    'plugin_instance',
    plugin_instance,
    'type_instance',
    type_instance,
  ]);
  if (labels === undefined || !name.isWellFormed()) return undefined;
  return sink.add(high, low, { protocol: 'collectd', name, labels, resource: [], type, unit: '' });
}

function takeValue(sink: PointSink, list: ValueList, at: number, entry: number): void {
  const value = list.values[at];
  const type = TYPES.get(list.dstypes[at] as string);
  if (value === null) sink.omit('not_a_number', 1);
  else if (typeof value !== 'number')
    sink.reject('invalid_value', 1, `entry ${entry}: values must be numbers or null`);
  else if (type === undefined)
    sink.reject('unsupported_type', 1, `entry ${entry}: dstypes must be gauge, derive, counter or absolute`);
  else if (!Number.isFinite(value)) omitValue(sink, value);
  else {
    const series = seriesOf(sink, list, type, list.dsnames[at] as string);
    const time = Math.round(list.time * 1_000);
    if (series !== undefined)
      sink.point(
        series,
        time,
        value,
        type === 'delta' && list.interval > 0 ? time - Math.round(list.interval * 1_000) : 0,
      );
    else
      sink.reject(
        'invalid_labels',
        1,
        `entry ${entry}: a text is not valid Unicode: ${exampleOf(list.plugin, [])}`,
      );
  }
}

/**
 * Decodes the JSON of collectd's plugin write_http. Each value is one of the series `collectd.<plugin>.<type>`, with its name
 * behind that unless it is `value`. A faulty entry is refused alone.
 */
export function* decodeCollectd(bytes: Buffer, sink: PointSink): Generator<undefined, void, undefined> {
  const body = parseJsonBody(bytes);
  if (!Array.isArray(body)) throw new MalformedBodyError('The body must be a list of lists of values.');
  let turn = 0;
  for (const [entry, sent] of body.entries()) {
    const list = readEntry(sent);
    turn += 1;
    if (typeof list === 'string') {
      const values = (sent as { values?: unknown } | null)?.values;
      sink.reject(
        'invalid_value',
        Array.isArray(values) ? Math.max(1, values.length) : 1,
        `entry ${entry + 1}: ${list}`,
      );
    } else
      for (let at = 0; at < list.values.length; at += 1) {
        takeValue(sink, list, at, entry + 1);
        turn += 1;
        if (turn % TURN === 0) yield;
      }
    if (turn % TURN === 0) yield;
  }
}
