import { hasSameLabels, type PartShape } from '@tidewatch/contracts/ingest/part-shape';
import { partOfSubject, partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { MatchedPart } from '@tidewatch/domain/rules/selector';
import type { LabelledKinds, PartMetrics } from '../rules/organization-rules.ts';
import type { Stream } from './stream.ts';

const NEVER = Number.NEGATIVE_INFINITY;
/** Known parts beyond this number are forgotten once they are absent: parts may get new names without end. */
const MAX_KNOWN = 1_024;
const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});
const NO_STREAMS: readonly Stream[] = Object.freeze([]);
const NO_PLACES: readonly number[] = Object.freeze([]);

/** A part of a kind that rules evaluate. */
export interface KnownPart {
  readonly subject: Subject;
  /** What selectors match; another object once the labels change. */
  matched: MatchedPart;
}

/** What selectors match of a part, given by its name as a subject, such as `filesystem:/var`. */
export function matchedPart(subject: string, labels: Readonly<Record<string, string>>): MatchedPart {
  return { name: partOfSubject(subject).name, labels };
}

/**
 * The parts of a host that rules evaluate. Payloads of a host share one shape of parts, so the streams of its numbers are
 * looked up once for each shape, and not for each payload.
 */
export class HostParts {
  /** Streams of parts, without those derived from them; null before the first, because most hosts have none. */
  streams: Set<Stream> | null = null;
  /** The shape that `places` and `current` belong to; null if they have to be looked up again. */
  shape: PartShape | null = null;
  /** The numbers of the shape that rules evaluate, and the stream of each. */
  places: readonly number[] = NO_PLACES;
  current: readonly Stream[] = NO_STREAMS;
  /** Streams without a number in the shape, and when the first of them counts as gone, ms by the host's clock. */
  absent: readonly Stream[] = NO_STREAMS;
  nextGoneAt = Number.POSITIVE_INFINITY;
  readonly #known = new Map<string, KnownPart>();
  /** Kinds of parts whose stored labels are known. */
  readonly #loadedKinds = new Set<string>();
  /** The shape whose labels were compared last, for which rules, and the time of its payload, ms. */
  #labelled: PartShape | null = null;
  #labelledFor: PartMetrics | null = null;
  #labelledAt = NEVER;

  /** Returns the part; its labels are empty before any were given. */
  part(subject: string): KnownPart {
    let known = this.#known.get(subject);
    if (known === undefined) {
      known = { subject: { kind: 'part', name: subject }, matched: matchedPart(subject, NO_LABELS) };
      this.#known.set(subject, known);
    }
    return known;
  }

  /** Returns the kinds among these whose stored labels have not been asked for yet, which counts as done from now on. */
  kindsToLoad(kinds: LabelledKinds): string[] {
    const missing = [...kinds].filter((kind) => !this.#loadedKinds.has(kind));
    for (const kind of missing) this.#loadedKinds.add(kind);
    return missing;
  }

  /** Sets the stored labels of a part, unless a payload named others. */
  labelFromStore(subject: string, labels: Readonly<Record<string, string>>): void {
    if (this.part(subject).matched.labels === NO_LABELS) this.label(subject, labels);
  }

  /** Sets the labels of a part. Returns whether they changed. */
  label(subject: string, labels: Readonly<Record<string, string>>): boolean {
    const part = this.part(subject);
    if (hasSameLabels(part.matched.labels, labels)) return false;
    part.matched = { name: part.matched.name, labels };
    return true;
  }

  /**
   * Takes over the labels of a payload at `time` (ms), for parts of kinds with a rule; an older payload than the last changes
   * nothing. Returns whether the labels of an evaluated part changed, so that its rules have to be matched again.
   */
  takeLabels(shape: PartShape, time: number, metrics: PartMetrics): boolean {
    if (shape === this.#labelled && metrics === this.#labelledFor) {
      if (time > this.#labelledAt) this.#labelledAt = time;
      return false;
    }
    if (time < this.#labelledAt) return false;
    this.#labelled = shape;
    this.#labelledFor = metrics;
    this.#labelledAt = time;
    if (metrics.size === 0) return false;
    let isChanged = false;
    for (const [index, labels] of shape.labels.entries()) {
      const kind = shape.kinds[index] as string;
      if (labels === null || !metrics.has(kind)) continue;
      if (this.label(partSubject(kind, shape.names[index] as string), labels)) isChanged = true;
    }
    return isChanged && this.streams !== null;
  }

  /** Forgets which streams the numbers of payloads have, after a change of rules or streams. */
  reset(): void {
    this.shape = null;
    this.places = NO_PLACES;
    this.current = NO_STREAMS;
    this.absent = NO_STREAMS;
    this.nextGoneAt = Number.POSITIVE_INFINITY;
  }

  /** Forgets parts that are neither in the shape nor have a stream, if there are many. */
  prune(): void {
    if (this.#known.size <= MAX_KNOWN) return;
    const kept = new Set<string>();
    for (const stream of this.streams ?? NO_STREAMS) kept.add(stream.subject.name);
    for (const [index, kind] of this.shape?.kinds.entries() ?? [])
      kept.add(partSubject(kind, this.shape?.names[index] as string));
    for (const subject of this.#known.keys()) if (!kept.has(subject)) this.#known.delete(subject);
  }

  /** Moves times by `by` ms, at most to `until`, after a step of the host's clock. */
  shift(by: number, until: number): void {
    this.#labelledAt = Math.min(this.#labelledAt + by, until);
    if (this.nextGoneAt !== Number.POSITIVE_INFINITY) this.nextGoneAt += by;
  }
}
