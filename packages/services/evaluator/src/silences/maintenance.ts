import type { CompiledSilence } from '@tidewatch/domain/silence/silence';
import type { Queryable } from '@tidewatch/store/database/connection';
import { readHealthByHost } from '@tidewatch/store/health/read';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { SilenceSet } from '@tidewatch/store/silences/silence-set';
import type { Ownership } from '../memory/ownership.ts';

/** Services whose status one transaction works out anew; a silence of all hosts must not make transactions long. */
const MAX_AT_ONCE = 500;
/** Services that are compared before the event loop gets its turn. */
const SERVICES_PER_TURN = 1_000;

/**
 * Finds the services whose maintenance has begun or ended though nothing was heard of them: those that a silence
 * concerns which was active when the store was last put right and is not now, or the other way round.
 */
export class Maintenance {
  /** The silences that the store shows the effect of; null where that is not known. */
  #shown: ReadonlyMap<string, CompiledSilence> | null = null;
  #waiting = new Map<string, ServiceKey>();
  #taken: ServiceKey[] = [];

  /** Whether it is known that no services wait to be looked at. */
  get isIdle(): boolean {
    return this.#shown !== null && !this.isLeft;
  }

  /** Whether services wait that one transaction did not take. */
  get isLeft(): boolean {
    return this.#waiting.size > 0;
  }

  /** The services to look at in this transaction; the rest waits for the next. */
  async take(sql: Queryable, silences: SilenceSet, owned: Ownership): Promise<readonly ServiceKey[]> {
    await this.#compare(sql, silences, owned);
    this.#taken = [...this.#waiting.values()].slice(0, MAX_AT_ONCE);
    return this.#taken;
  }

  committed(): void {
    for (const { id } of this.#taken) this.#waiting.delete(id);
    this.#taken = [];
  }

  /** Everything is looked at again. */
  clear(): void {
    this.#shown = null;
    this.#waiting.clear();
    this.#taken = [];
  }

  async #compare(sql: Queryable, silences: SilenceSet, owned: Ownership): Promise<void> {
    const shown = this.#shown;
    const now = new Map(silences.whole.map((silence) => [silence.id, silence]));
    const changed = [...now.values(), ...(shown?.values() ?? [])].filter(
      ({ id }) => !now.has(id) || !shown?.has(id),
    );
    if (shown !== null && changed.length === 0) return;
    for (const [place, service] of (await readHealthByHost(sql)).entries()) {
      if (place % SERVICES_PER_TURN === SERVICES_PER_TURN - 1)
        await new Promise((resolve) => setImmediate(resolve));
      const { org, id, host, tags, status } = service;
      if (!owned.owns(org, host)) continue;
      const differs = silences.covers({ organizationId: org, host, tags }) !== (status === 'maintenance');
      // What the store shows may be about to change in a transaction under way: those concerned are all looked at.
      const concerned = changed.some((each) => each.organizationId === org && each.matchesHost(host, tags));
      if (differs || concerned) this.#waiting.set(id, { org, id });
    }
    this.#shown = now;
  }
}
