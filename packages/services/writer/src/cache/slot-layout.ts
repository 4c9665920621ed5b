import { isSameList } from '@tidewatch/contracts/values/lists';

/** How many layouts are offered for sharing; a fleet has few kinds of hosts. */
const MAX_SHARED = 64;
/** A subject with more metrics has a layout of its own, which grows in place: comparing would cost more than it spares. */
const MAX_METRICS_SHARED = 256;
const shared = new Map<string, SlotLayout>();

/**
 * Which place each metric of a subject has. Those with the same metrics at the same places share it, as most hosts of a
 * fleet do: so a shared one never changes, and a subject that gets more places takes another.
 */
export class SlotLayout {
  readonly #places: Map<string, number>;
  // Payloads of such subjects nearly always carry the same metrics in the same order: the places of the last ones
  // spare a hash lookup for every sample.
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

  /** The layout with further metrics at their places; this one is not to be used any more where it was not shared. */
  with(added: Iterable<readonly [metric: string, place: number]>): SlotLayout {
    if (this.#places.size <= MAX_METRICS_SHARED) return SlotLayout.of(new Map([...this.#places, ...added]));
    for (const [metric, place] of added) this.#places.set(metric, place);
    return this;
  }

  /** The place of each metric of a payload, null where one has none. */
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
