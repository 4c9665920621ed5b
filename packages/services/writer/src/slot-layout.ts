/** How many layouts are offered for sharing; a fleet has few kinds of hosts. */
const MOST_SHARED = 64;
const shared = new Map<string, SlotLayout>();

/**
 * Which place each metric of a subject has. It never changes: a subject that gets more places takes another one, and
 * those with the same metrics at the same places share it, as most hosts of a fleet do.
 */
export class SlotLayout {
  readonly places: ReadonlyMap<string, number>;
  // Payloads of such subjects nearly always carry the same metrics in the same order: the names of the last one,
  // each with its place, spare a hash lookup for every sample.
  readonly #lastNames: string[] = [];
  readonly #lastPlaces: number[] = [];

  private constructor(places: ReadonlyMap<string, number>) {
    this.places = places;
  }

  static of(places: ReadonlyMap<string, number>): SlotLayout {
    const key = JSON.stringify([...places]);
    const known = shared.get(key);
    if (known) return known;
    const layout = new SlotLayout(places);
    if (shared.size === MOST_SHARED) shared.clear();
    shared.set(key, layout);
    return layout;
  }

  /** The layout with further metrics at their places. */
  with(added: Iterable<readonly [metric: string, place: number]>): SlotLayout {
    return SlotLayout.of(new Map([...this.places, ...added]));
  }

  /** The place of the `index`-th metric of a payload, undefined where it has none. */
  place(index: number, metric: string): number | undefined {
    if (this.#lastNames[index] === metric) return this.#lastPlaces[index];
    const place = this.places.get(metric);
    if (place !== undefined) {
      this.#lastNames[index] = metric;
      this.#lastPlaces[index] = place;
    }
    return place;
  }
}

export const NO_SLOTS = SlotLayout.of(new Map());
