import { ActiveSilences, type Muting } from '@tidewatch/domain/silence/active-silences';
import type { CompiledSilence, MutedAlert } from '@tidewatch/domain/silence/silence';
import type { Queryable } from '../database/connection.ts';
import { readUnendedSilences } from './read.ts';
import { compileSilence, prepareSilences } from './row.ts';

/** A host as silences look at it. */
export interface SilencedHost {
  readonly organizationId: string;
  readonly host: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The silences that may mute, and those of them that are active now. What was read is committed, so no rollback undoes it. */
export class SilenceSet {
  #revision: number | undefined;
  #silences: CompiledSilence[] = [];
  #active = new ActiveSilences([], 0);
  #activeAt = 0;

  /** Whether `revision` was read and none has begun or ended since. */
  isCurrent(revision: number, now: number): boolean {
    return revision === this.#revision && this.#isStill(now);
  }

  /** Reads the silences if their revision changed, and works out which are active at `now` (ms). */
  async refresh(sql: Queryable, revision: number, now: number): Promise<void> {
    if (revision !== this.#revision) {
      this.#silences = (await readUnendedSilences(sql)).map(compileSilence);
      this.#revision = revision;
    } else if (this.#isStill(now)) return;
    await prepareSilences(this.#silences, now);
    this.#active = new ActiveSilences(this.#silences, now);
    this.#activeAt = now;
  }

  /** Those that are active. */
  get active(): ReadonlyMap<string, CompiledSilence> {
    return this.#active.byId;
  }

  /** The active ones that mute hosts as a whole. */
  get whole(): readonly CompiledSilence[] {
    return this.#active.whole;
  }

  /** Whether a host is muted as a whole. */
  covers({ organizationId, host, tags }: SilencedHost): boolean {
    return this.#active.covers(organizationId, host, tags);
  }

  /** What mutes an alert of the host, null where nothing does. */
  muting({ organizationId, host, tags }: SilencedHost, alert: MutedAlert): Muting | null {
    return this.#active.muting(organizationId, host, tags, alert);
  }

  #isStill(now: number): boolean {
    return now >= this.#activeAt && now < this.#active.validUntil;
  }
}
