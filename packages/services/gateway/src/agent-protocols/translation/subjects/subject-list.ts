import { BOUNDS, type Container, type Payload, type ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { textFault } from '@tidewatch/contracts/values/text';
import type { SubjectFamily } from './subject-family.ts';
import type { SubjectPlace } from './subject-place.ts';

/** What of a payload lists containers, or processes. */
export type ListedSubjects = Pick<Payload, 'containers' | 'processes' | 'processCounts'>;

interface Value {
  field: string;
  rank: number;
  time: number;
  /** NaN for a counter that has no rate yet. */
  value: number;
  /** The time between its last two values, ms; 0 before the second. */
  interval: number;
}

interface Member {
  place: SubjectPlace;
  /** The time of its last value, ms, also of one that has no rate yet. */
  time: number;
  values: Map<string, Value>;
}

interface Numbers {
  [field: string]: number;
}

/** The max number of containers, or of processes, of a host that are remembered. */
const MAX_MEMBERS = 5_000;
/** A member without values for so long is forgotten, ms. */
const FORGOTTEN_MS = 5 * 60_000;
/** A member whose values have times of their own stays listed for so long, ms. */
const LISTED_MS = 60_000;
/** After this many intervals without a value, a number no longer counts. */
const MISSED_INTERVALS = 2.5;
/** As our own agent, which lists those that use most of the processor, and those that use most memory. */
const BUSIEST = 20;

/** The containers, or the processes, of one host as one family of agents lists them. */
export class SubjectList {
  readonly family: SubjectFamily;
  readonly #members = new Map<string, Member>();
  #listedAt = 0;

  constructor(family: SubjectFamily) {
    this.family = family;
  }

  /** Takes a value at its time, ms; NaN for a counter without a rate. Returns false for a member that would be one too many. */
  take(place: SubjectPlace, time: number, value: number): boolean {
    let member = this.#members.get(place.key);
    if (member === undefined) {
      if (this.#members.size >= MAX_MEMBERS) return false;
      member = { place, time, values: new Map() };
      this.#members.set(place.key, member);
    }
    if (time >= member.time) {
      member.place = place;
      member.time = time;
    }
    const { field, rank, contributor, scale } = place;
    const last = member.values.get(contributor);
    if (last !== undefined && (time < last.time || (time === last.time && Number.isNaN(value)))) return true;
    const interval = last === undefined || time === last.time ? (last?.interval ?? 0) : time - last.time;
    member.values.set(contributor, { field, rank, time, value: value * scale, interval });
    return true;
  }

  /** The list at `time` (ms), to which belongs what lies within `stepMs`; undefined where a later list was there before. */
  listAt(time: number, stepMs: number): ListedSubjects | undefined {
    if (time < this.#listedAt) return undefined;
    this.#listedAt = time;
    const present: { place: SubjectPlace; numbers: Numbers }[] = [];
    for (const [key, { place, time: last, values }] of this.#members) {
      const age = time - last;
      if (age > FORGOTTEN_MS) this.#members.delete(key);
      else if (age < (this.family.isAtOnce ? stepMs : LISTED_MS))
        present.push({ place, numbers: this.#numbersAt(values, time, stepMs) });
    }
    if (this.family.kind === 'container')
      return { containers: containersOf(present.map(({ place, numbers }) => containerOf(place, numbers))) };
    return processesOf(present);
  }

  /** Of several series that give one number those of the lowest rank are summed up. */
  #numbersAt(values: ReadonlyMap<string, Value>, time: number, stepMs: number): Numbers {
    const numbers: Numbers = {};
    const ranks: Numbers = {};
    for (const { field, rank, time: at, value, interval } of values.values()) {
      const reach = this.family.isAtOnce ? stepMs : Math.max(stepMs, MISSED_INTERVALS * interval);
      const best = ranks[field] ?? rank;
      if (time - at >= reach || rank > best || Number.isNaN(value)) continue;
      numbers[field] = (rank < best ? 0 : (numbers[field] ?? 0)) + value;
      ranks[field] = rank;
    }
    return numbers;
  }
}

function containerOf({ name, id, image, status }: SubjectPlace, numbers: Numbers): Container {
  const { memory_limit: limit = 0, memory_usage: usage, ...others } = numbers;
  const container: Container = { name: cleanText(name, BOUNDS.containerName) };
  if (id !== undefined) container.id = cleanText(id, BOUNDS.containerId);
  if (image !== undefined) container.image = cleanText(image, BOUNDS.containerImage);
  if (status !== undefined) {
    container.status = cleanText(status, BOUNDS.containerStatus);
    container.running = status === 'running' ? 1 : 0;
  }
  Object.assign(container, others);
  if (usage !== undefined) container.memory_usage = usage;
  if (limit > 0) container.memory_limit = limit;
  if (limit > 0 && usage !== undefined) container.memory_percent = (usage / limit) * 100;
  return container;
}

/** Sorted by name, each name once: a container that was created again is there twice for a while. The busiest where there are too many. */
function containersOf(all: readonly Container[]): Container[] {
  const byName = new Map<string, Container>();
  for (const container of all) byName.set(container.name, container);
  const cpu = (container: Container) => Number(container.cpu_percent ?? 0);
  return [...byName.values()]
    .toSorted((a, b) => cpu(b) - cpu(a))
    .slice(0, BOUNDS.containers)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface Program extends ProcessInfo {
  count: number;
}

/** Processes summed by name: the busiest in full, and how many there are of each name. */
function processesOf(all: readonly { place: SubjectPlace; numbers: Numbers }[]): ListedSubjects {
  const programs = new Map<string, Program>();
  for (const { place, numbers } of all) {
    const name = cleanText(place.name, BOUNDS.processName);
    const pid = place.pid ?? 0;
    const program = programs.get(name) ?? { name, pid, count: 0 };
    programs.set(name, program);
    program.pid = Math.min(program.pid, pid);
    program.count += numbers.count ?? 1;
    for (const field of ['cpu_percent', 'memory_rss'] as const)
      if (numbers[field] !== undefined) program[field] = (program[field] ?? 0) + numbers[field];
  }
  const sorted = (field: 'cpu_percent' | 'memory_rss' | 'count') =>
    [...programs.values()].toSorted((a, b) => (b[field] ?? 0) - (a[field] ?? 0));
  const busiest = new Set([
    ...sorted('cpu_percent').slice(0, BUSIEST),
    ...sorted('memory_rss').slice(0, BUSIEST),
  ]);
  const counted = sorted('count').slice(0, BOUNDS.processCounts);
  return {
    processes: [...busiest].map(({ count: _, ...process }) => process),
    processCounts: {
      names: counted.map(({ name }) => name),
      counts: counted.map(({ count }) => Math.round(count)),
    },
  };
}

/** A text of at most `max` characters that can be stored. */
function cleanText(text: string, max: number): string {
  const clean = text.replaceAll('\0', '_').toWellFormed();
  return textFault(clean, 0, max) === undefined ? clean : [...clean].slice(0, max).join('');
}
