import { isSameList } from '@tidewatch/contracts/values/lists';

/** Maximum of shared layouts; a fleet has few kinds of hosts. */
const MAX_SHARED = 64;
/** A subject with more metrics than this gets a layout of its own, because sharing would cost more than it saves. */
const MAX_METRICS_SHARED = 256;
const shared = new Map<string, SlotLayout>();

/**
 * Maps each metric of a subject to its place. Subjects with the same metrics at the same places share a layout, as most
 * hosts of a fleet do. A shared layout never changes: a subject that gets more metrics takes another one.
 */
export class SlotLayout {
  readonly #places: Map<string, number>;
  // Payloads of these subjects nearly always have the same metrics in the same order: keeping the last list saves a
  // hash lookup for every sample.
  #lastNames: readonly string[] = [];
  #lastPlaces: readonly number[] = [];

  private constructor(places: Map<string, number>) {
    this.#places = places;
  }

  get places(): ReadonlyMap<string, number> {
    return this.#places;
  }

  static of(places: Map<string, number>): SlotLayout {
    if (places.size > MAX_METRICS_SHARED) return new SlotLayout(places);
    const key = JSON.stringify([...places]);
    const known = shared.get(key);
    if (known) return known;
    const layout = new SlotLayout(places);
    if (shared.size === MAX_SHARED) shared.clear();
    shared.set(key, layout);
    return layout;
  }

  /** Returns the layout with further metrics, to be used instead of this one, which may have been changed in place. */
  with(added: Iterable<readonly [metric: string, place: number]>): SlotLayout {
    if (this.#places.size <= MAX_METRICS_SHARED) return SlotLayout.of(new Map([...this.#places, ...added]));
    for (const [metric, place] of added) this.#places.set(metric, place);
    return this;
  }

  /** Returns the place of each metric of a payload; null if a metric has no place. */
  placesOf(metrics: readonly string[]): readonly number[] | null {
    if (isSameList(metrics, this.#lastNames)) return this.#lastPlaces;
    const places: number[] = [];
    for (const metric of metrics) {
      const place = this.#places.get(metric);
      if (place === undefined) return null;
      places.push(place);
    }
    this.#lastNames = metrics;
    this.#lastPlaces = places;
    return places;
  }
}

export const NO_SLOTS = SlotLayout.of(new Map());
