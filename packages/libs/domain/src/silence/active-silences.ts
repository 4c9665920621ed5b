import type { CompiledSilence, MutedAlert } from './silence.ts';

type Tags = Readonly<Record<string, string>>;

/** The silence that mutes an alert, and when its window ends, ms. */
export interface Muting {
  id: string;
  until: number;
}

/**
 * The silences that are active from one moment on, until `validUntil` (ms), when one of those given begins or ends.
 * Those that name their hosts are found by name, so that many of them cost as little as one.
 */
export class ActiveSilences {
  readonly validUntil: number;
  readonly #organizations = new Map<string, { all: HostIndex; whole: HostIndex }>();
  readonly #at: number;
  readonly #whole: CompiledSilence[] = [];

  constructor(silences: Iterable<CompiledSilence>, at: number) {
    let validUntil = Number.POSITIVE_INFINITY;
    for (const silence of silences) {
      const { status, until } = silence.stateAt(at);
      validUntil = Math.min(validUntil, until);
      if (status !== 'active') continue;
      const { all, whole } = this.#indexOf(silence.organizationId);
      all.add(silence);
      if (!silence.isWhole) continue;
      whole.add(silence);
      this.#whole.push(silence);
    }
    this.validUntil = validUntil;
    this.#at = at;
  }

  /** Those that mute hosts as a whole. */
  get whole(): readonly CompiledSilence[] {
    return this.#whole;
  }

  /** Whether a host is muted as a whole. */
  covers(organizationId: string, host: string, tags: Tags): boolean {
    const index = this.#organizations.get(organizationId)?.whole;
    return index?.find(host, (silence) => silence.matchesHost(host, tags)) ?? false;
  }

  /** The silence that mutes an alert of the host: of several the one that lasts longest. Null where none does. */
  muting(organizationId: string, host: string, tags: Tags, alert: MutedAlert): Muting | null {
    let found: Muting | null = null;
    this.#organizations.get(organizationId)?.all.find(host, (silence) => {
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
  readonly #others: CompiledSilence[] = [];

  add(silence: CompiledSilence): void {
    if (silence.hostNames === null) this.#others.push(silence);
    for (const name of silence.hostNames ?? []) {
      const named = this.#byName.get(name);
      if (named === undefined) this.#byName.set(name, [silence]);
      else named.push(silence);
    }
  }

  /** Whether the test holds of one that may concern the host. */
  find(host: string, test: (silence: CompiledSilence) => boolean): boolean {
    return (this.#byName.get(host)?.some(test) ?? false) || this.#others.some(test);
  }
}
