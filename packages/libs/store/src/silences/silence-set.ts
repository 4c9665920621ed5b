import type { Queryable } from '@tidewatch/database/connection';
import { ActiveSilences, type Muting } from '@tidewatch/domain/silence/active-silences';
import type { CompiledSilence, MutedAlert } from '@tidewatch/domain/silence/silence';
import { readUnendedSilences } from './read.ts';
import { compileSilence, prepareSilences } from './row.ts';

/** The fields of a host that silences match. */
export interface SilencedHost {
  readonly organizationId: string;
  readonly host: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Caches the silences that have not ended, and which of them are active now. */
export class SilenceSet {
  #revision: number | undefined;
  #silences: CompiledSilence[] = [];
  #active = new ActiveSilences([], 0);
  #activeAt = 0;

  /** Whether the cache has this `revision`, and no silence has begun or ended since it was computed. */
  isCurrent(revision: number, now: number): boolean {
    return revision === this.#revision && this.#isStill(now);
  }

  /** Reads the silences if their revision changed, and computes which are active at `now` (ms). */
  async refresh(sql: Queryable, revision: number, now: number): Promise<void> {
    if (revision !== this.#revision) {
      this.#silences = (await readUnendedSilences(sql)).map(compileSilence);
      this.#revision = revision;
    } else if (this.#isStill(now)) return;
    await prepareSilences(this.#silences, now);
    this.#active = new ActiveSilences(this.#silences, now);
    this.#activeAt = now;
  }

  /** Whether there are no silences that have not ended, neither active ones nor others. */
  get isEmpty(): boolean {
    return this.#silences.length === 0;
  }

  /** The active silences by id. */
  get active(): ReadonlyMap<string, CompiledSilence> {
    return this.#active.byId;
  }

  /** The active silences that mute whole hosts. */
  get whole(): readonly CompiledSilence[] {
    return this.#active.whole;
  }

  /** Whether a silence mutes the whole host. */
  covers({ organizationId, host, tags }: SilencedHost): boolean {
    return this.#active.covers(organizationId, host, tags);
  }

  /** The silence that mutes an alert of the host, or null. */
  muting({ organizationId, host, tags }: SilencedHost, alert: MutedAlert): Muting | null {
    return this.#active.muting(organizationId, host, tags, alert);
  }

  #isStill(now: number): boolean {
    return now >= this.#activeAt && now < this.#active.validUntil;
  }
}
