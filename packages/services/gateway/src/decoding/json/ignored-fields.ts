import { type IngestWarning, MAX_WARNINGS } from '@tidewatch/contracts/ingest/ingest-warning';
import { PART_TEXTS } from '@tidewatch/contracts/ingest/part';
import { CONTAINER_FIELDS, PAYLOAD_FIELDS, PROCESS_FIELDS } from '@tidewatch/contracts/ingest/payload-schema';
import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import type { IgnoredCounts } from '../decoded-body.ts';
import { escapeSegment } from '../fault-list.ts';

/** Where a field is: in a payload itself, or in an entry of one of its lists. */
export type FieldPlace = 'payload' | 'docker_containers' | 'processes' | 'parts';

/** The label of fields that resemble no known field. */
export const OTHER_FIELD = 'other';

const KNOWN: Readonly<Record<FieldPlace, readonly string[]>> = {
  payload: PAYLOAD_FIELDS,
  docker_containers: CONTAINER_FIELDS,
  processes: PROCESS_FIELDS,
  parts: PART_TEXTS,
};

/** Members whose further fields are metrics. */
const NUMERIC: Readonly<Partial<Record<FieldPlace, string>>> = {
  docker_containers: 'container',
  parts: 'part',
};

/** Names that other products use, with the name of the field here. */
const ALIASES: Readonly<Record<FieldPlace, Readonly<Record<string, string>>>> = {
  payload: {
    labels: 'tags',
    time: 'timestamp',
    ts: 'timestamp',
    containers: 'docker_containers',
    docker: 'docker_containers',
  },
  docker_containers: { cpu: 'cpu_percent', memory: 'memory_usage', state: 'status' },
  processes: { cpu: 'cpu_percent', memory: 'memory_rss', rss: 'memory_rss' },
  parts: { type: 'kind', tags: 'labels', id: 'name' },
};

interface Entry {
  warning: IngestWarning;
  label: string;
  /** The payload in which the field was counted last. */
  last: string;
}

/**
 * Collects the fields of a body that ingest ignores: the first `MAX_WARNINGS` by name, with the number of payloads of each,
 * and the number of all others, so that memory and the search for similar names stay bounded.
 */
export class IgnoredFields {
  readonly #entries = new Map<FieldPlace, Map<string, Entry>>();
  readonly #counts: Record<string, number> = {};
  readonly #warnings: IngestWarning[] = [];

  /** `payload` is the JSON Pointer of the payload, `index` the position in the list that `place` names. */
  add(payload: string, place: FieldPlace, index: number, name: string): void {
    const known = this.#entries.get(place)?.get(name);
    const entry = known ?? this.#begin(payload, place, index, name);
    const label = entry?.label ?? OTHER_FIELD;
    this.#counts[label] = (this.#counts[label] ?? 0) + 1;
    if (entry === undefined || entry.last === payload) return;
    entry.last = payload;
    entry.warning.payloads += 1;
  }

  get warnings(): IngestWarning[] {
    return this.#warnings;
  }

  /** The number of ignored fields by the known field that they resemble, or `OTHER_FIELD`. */
  get counts(): IgnoredCounts {
    return this.#counts;
  }

  #begin(payload: string, place: FieldPlace, index: number, name: string): Entry | undefined {
    if (this.#warnings.length >= MAX_WARNINGS) return undefined;
    const parent = place === 'payload' ? payload : `${payload}/${place}/${index}`;
    const meant = meantBy(place, name);
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
    const ofMember = NUMERIC[place];
    const warning: IngestWarning = {
      code: ofMember === undefined ? 'unknown_field' : 'not_numeric',
      path: `${parent}/${escapeSegment(name)}`,
      payloads: 1,
      message:
        ofMember === undefined
          ? `Is not a known field and is ignored.${question}`
          : `Is ignored: further fields of a ${ofMember} are metrics and must be numbers.${question}`,
    };
    const label = meant === undefined ? OTHER_FIELD : place === 'payload' ? meant : `${place}.${meant}`;
    const entry = { warning, label, last: payload };
    const ofPlace = this.#entries.get(place) ?? new Map<string, Entry>();
    this.#entries.set(place, ofPlace.set(name, entry));
    this.#warnings.push(warning);
    return entry;
  }
}

/** The known field that `name` is probably a misspelling of; undefined if none is similar. */
export function meantBy(place: FieldPlace, name: string): string | undefined {
  const aliases = ALIASES[place];
  return Object.hasOwn(aliases, name) ? aliases[name] : nearMiss(name, KNOWN[place]);
}
