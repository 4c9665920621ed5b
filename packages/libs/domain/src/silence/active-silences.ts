import type { CompiledSilence, MutedAlert } from './silence.ts';

type Tags = Readonly<Record<string, string>>;

/** The silence that mutes an alert, and when its window ends, ms. */
export interface Muting {
  id: string;
  until: number;
}

/**
 * The active silences, valid until the next one begins or ends (`validUntil`, ms). Silences that list hosts or tag values
 * are indexed by these, so that many of them do not slow matching down.
 */
export class ActiveSilences {
  readonly validUntil: number;
  readonly #organizations = new Map<string, { all: HostIndex; whole: HostIndex }>();
  readonly #at: number;
  readonly #whole: CompiledSilence[] = [];
  readonly #byId = new Map<string, CompiledSilence>();

  constructor(silences: Iterable<CompiledSilence>, at: number) {
    let validUntil = Number.POSITIVE_INFINITY;
    for (const silence of silences) {
      const { status, until } = silence.stateAt(at);
      validUntil = Math.min(validUntil, until);
      if (status !== 'active') continue;
      this.#byId.set(silence.id, silence);
      const { all, whole } = this.#indexOf(silence.organizationId);
      all.add(silence);
      if (!silence.isWhole) continue;
      whole.add(silence);
      this.#whole.push(silence);
    }
    this.validUntil = validUntil;
    this.#at = at;
  }

  /** All active silences by their id. */
  get byId(): ReadonlyMap<string, CompiledSilence> {
    return this.#byId;
  }

  /** Silences that cover whole hosts. */
  get whole(): readonly CompiledSilence[] {
    return this.#whole;
  }

  /** Whether a silence matches the host as a whole. */
  covers(organizationId: string, host: string, tags: Tags): boolean {
    const index = this.#organizations.get(organizationId)?.whole;
    return index?.find(host, tags, (silence) => silence.matchesHost(host, tags)) ?? false;
  }

  /** The silence that mutes an alert of the host; the one that lasts longest if several match, null if none does. */
  muting(organizationId: string, host: string, tags: Tags, alert: MutedAlert): Muting | null {
    let found: Muting | null = null;
    this.#organizations.get(organizationId)?.all.find(host, tags, (silence) => {
      if (!silence.matchesAlert(alert) || !silence.matchesHost(host, tags)) return false;
      const { until } = silence.stateAt(this.#at);
      const better =
        found === null || until > found.until || (until === found.until && silence.id < found.id);
      if (better) found = { id: silence.id, until };
      return false;
    });
    return found;
  }

  #indexOf(organizationId: string) {
    let index = this.#organizations.get(organizationId);
    if (index === undefined) {
      index = { all: new HostIndex(), whole: new HostIndex() };
      this.#organizations.set(organizationId, index);
    }
    return index;
  }
}

class HostIndex {
  readonly #byName = new Map<string, CompiledSilence[]>();
  readonly #byTag = new Map<string, Map<string, CompiledSilence[]>>();
  readonly #others: CompiledSilence[] = [];

  add(silence: CompiledSilence): void {
    const { hostNames, tagValues } = silence;
    if (hostNames !== null) for (const name of hostNames) addTo(this.#byName, name, silence);
    else if (tagValues !== null) this.#addByTag(tagValues.name, tagValues.values, silence);
    else this.#others.push(silence);
  }

  /** Whether `test` is true for one of the silences that may match the host. */
  find(host: string, tags: Tags, test: (silence: CompiledSilence) => boolean): boolean {
    if (this.#byName.get(host)?.some(test)) return true;
    for (const [name, byValue] of this.#byTag)
      if (Object.hasOwn(tags, name) && byValue.get(tags[name] as string)?.some(test)) return true;
    return this.#others.some(test);
  }

  #addByTag(name: string, values: readonly string[], silence: CompiledSilence): void {
    let byValue = this.#byTag.get(name);
    if (byValue === undefined) {
      byValue = new Map();
      this.#byTag.set(name, byValue);
    }
    for (const value of values) addTo(byValue, value, silence);
  }
}

function addTo(silences: Map<string, CompiledSilence[]>, key: string, silence: CompiledSilence): void {
  const known = silences.get(key);
  if (known === undefined) silences.set(key, [silence]);
  else known.push(silence);
}
