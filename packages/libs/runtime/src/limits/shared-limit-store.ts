import { type IncrementResponse, MemoryStore, type Options, type Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import type { LimitRedis } from './redis-connection.ts';

export interface SharedLimitStoreOptions {
  redis: LimitRedis;
  /** The prefix of the keys in Redis. */
  prefix: string;
  /** Called when Redis becomes unavailable (with the reason) or available. */
  onChange(available: boolean, reason: string | null): void;
  /** Called for each request that only this process counted. */
  onLocalCount(): void;
}

/** Pause after a failure of Redis, ms, so that not every request waits for the timeout. */
const PAUSE_MS = 1_000;

/**
 * Counts requests in Redis for all processes of a service together. While Redis is unavailable, each process counts by
 * itself, so that a key may send up to its limit to each of them.
 */
export class SharedLimitStore implements Store {
  readonly #redis: RedisStore;
  readonly #local = new MemoryStore();
  readonly #onChange: SharedLimitStoreOptions['onChange'];
  readonly #onLocalCount: SharedLimitStoreOptions['onLocalCount'];
  readonly #ping: () => Promise<unknown>;
  #options: Options | null = null;
  #loading: Promise<void> | null = null;
  #available = true;
  #pausedUntil = 0;

  constructor({ redis, prefix, onChange, onLocalCount }: SharedLimitStoreOptions) {
    const sendCommand = (...command: string[]) =>
      redis.call(...(command as [string, ...string[]])) as Promise<string | number>;
    this.#redis = new RedisStore({ sendCommand, prefix });
    this.#onChange = onChange;
    this.#onLocalCount = onLocalCount;
    this.#ping = () => redis.ping();
    // Loads the counting script at each connection, since a flushed or restarted server lacks it.
    redis.on('ready', () => {
      this.#pausedUntil = 0;
      void this.#load().then(
        () => this.#became(true, null),
        () => undefined,
      );
    });
    redis.on('close', () => this.#failed(new Error('the connection was closed')));
  }

  /** Pings Redis, so that its availability is known even without requests. Returns whether it is available. */
  async probe(): Promise<boolean> {
    try {
      await this.#load();
      await this.#ping();
      this.#became(true, null);
    } catch (error) {
      this.#failed(error);
    }
    return this.#available;
  }

  get available(): boolean {
    return this.#available;
  }

  init(options: Options): void {
    this.#options = options;
    this.#local.init(options);
    void this.#load().catch((error: unknown) => this.#failed(error));
  }

  async increment(key: string): Promise<IncrementResponse> {
    if (performance.now() >= this.#pausedUntil) {
      try {
        await this.#load();
        const counted = await this.#redis.increment(key);
        this.#became(true, null);
        return counted;
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#onLocalCount();
    return this.#local.increment(key);
  }

  async decrement(key: string): Promise<void> {
    await this.#local.decrement(key);
  }

  async resetKey(key: string): Promise<void> {
    await this.#local.resetKey(key);
  }

  shutdown(): void {
    this.#local.shutdown();
  }

  /** Replaced after each failure, because the library caches the failure to load its script. */
  #load(): Promise<void> {
    if (this.#loading === null && this.#options) {
      const options = this.#options;
      const loading = Promise.resolve(this.#redis.init(options));
      this.#loading = loading;
      loading.catch(() => {
        if (this.#loading === loading) this.#loading = null;
      });
    }
    return this.#loading ?? Promise.resolve();
  }

  #failed(error: unknown): void {
    this.#loading = null;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    this.#became(false, error instanceof Error ? error.message : String(error));
  }

  #became(available: boolean, reason: string | null): void {
    if (available === this.#available) return;
    this.#available = available;
    this.#onChange(available, reason);
  }
}
