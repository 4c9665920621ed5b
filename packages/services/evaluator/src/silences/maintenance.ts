import type { Queryable } from '@tidewatch/database/connection';
import type { CompiledSilence } from '@tidewatch/domain/silence/silence';
import { readHealthByHost } from '@tidewatch/store/health/read';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { SilenceSet } from '@tidewatch/store/silences/silence-set';
import type { Ownership } from '../memory/ownership.ts';

/** Max hosts whose status one transaction recomputes, so that a silence of all hosts does not make it long. */
const MAX_AT_ONCE = 500;
/** Hosts compared in one turn of the event loop. */
const SERVICES_PER_TURN = 1_000;

/**
 * Finds hosts whose maintenance has begun or ended without a request: those matched by a silence that became active or
 * inactive since the stored status was last corrected.
 */
export class Maintenance {
  /** The silences that the stored status takes into account; null if unknown. */
  #shown: ReadonlyMap<string, CompiledSilence> | null = null;
  #waiting = new Map<string, ServiceKey>();
  #taken: ServiceKey[] = [];

  /** Whether no host waits to be checked. */
  get isIdle(): boolean {
    return this.#shown !== null && !this.isLeft;
  }

  /** Whether hosts are left over from the last transaction. */
  get isLeft(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns the hosts to check in this transaction; the others follow in the next ones. */
  async take(sql: Queryable, silences: SilenceSet, owned: Ownership): Promise<readonly ServiceKey[]> {
    await this.#compare(sql, silences, owned);
    this.#taken = [...this.#waiting.values()].slice(0, MAX_AT_ONCE);
    return this.#taken;
  }

  committed(): void {
    for (const { id } of this.#taken) this.#waiting.delete(id);
    this.#taken = [];
  }

  /** Forgets which hosts were checked, so that all hosts are checked again. */
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
      // Checks every matched host, because a concurrent transaction may be about to change its stored status.
      const concerned = changed.some((each) => each.organizationId === org && each.matchesHost(host, tags));
      if (differs || concerned) this.#waiting.set(id, { org, id });
    }
    this.#shown = now;
  }
}
