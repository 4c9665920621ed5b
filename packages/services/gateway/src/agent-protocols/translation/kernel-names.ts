import { LRUCache } from 'lru-cache';
import { atMost } from './at-most.ts';
import { withoutPort } from './host-identity.ts';

/** For how long series of an unknown instance wait for the name of its host, ms: one scrape may come as several requests. */
const WAIT_MS = 30_000;
const MAX_INSTANCES = 50_000;

/** The names of hosts behind instances of Prometheus, as their kernels say. One for each organization. */
export class KernelNames {
  readonly #names = new LRUCache<string, string>(atMost(MAX_INSTANCES));
  readonly #waitingSince = new LRUCache<string, number>(atMost(MAX_INSTANCES));
  /** Hosts that were stored by their address, which they keep. */
  readonly #addresses = new LRUCache<string, true>(atMost(MAX_INSTANCES));

  /** Each `sender` has a localhost of its own. */
  learn(sender: string, job: string, instance: string, host: string): void {
    this.#names.set(keyOf(sender, job, instance), host);
    this.#names.set(keyOf(sender, '', withoutPort(instance)), host);
  }

  /**
   * The name of the host; `wait` while it may still come, undefined where it did not come in time and there is no address. Only
   * series of an agent that names its kernel wait (`mayWait`). `now` in ms.
   */
  resolve(
    sender: string,
    { job, instance, address }: { job: string; instance: string; address: string | null },
    mayWait: boolean,
    now: number,
  ): string | 'wait' | undefined {
    const key = keyOf(sender, job, instance);
    if (address !== null && this.#addresses.has(key)) return address;
    const known = this.#names.get(key) ?? this.#names.get(keyOf(sender, '', withoutPort(instance)));
    if (known !== undefined) return known;
    const since = this.#waitingSince.get(key);
    if (since === undefined) this.#waitingSince.set(key, now);
    if (mayWait && (since === undefined || now - since < WAIT_MS)) return 'wait';
    if (address !== null) this.#addresses.set(key, true);
    return address ?? undefined;
  }
}

function keyOf(sender: string, job: string, instance: string): string {
  return `${sender}\0${job}\0${instance}`;
}
