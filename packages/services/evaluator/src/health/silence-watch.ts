import { UsualInterval } from '@tidewatch/domain/alerting/interval';
import { isSilent, PipelineClock } from '@tidewatch/domain/health/silence';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';

interface Watched extends ServiceKey {
  /** Pipeline time of the last receipt; 0 is the start, which grants a full period. */
  heardAt: number;
  interval: UsualInterval;
  offline: boolean;
}

/** Who was last heard when, on the pipeline's own clock. Receipts of a rolled back transaction are taken back. */
export class SilenceWatch {
  readonly #clock = new PipelineClock();
  readonly #watched = new Map<string, Watched>();
  #undo: (() => void)[] = [];

  get size(): number {
    return this.#watched.size;
  }

  /** Begins to watch a service as if it had been heard just now, unless it is watched already. */
  watch(organizationId: string, serviceId: string, intervalSeconds: number | null, offline: boolean): void {
    if (this.#watched.has(serviceId)) return;
    const interval = new UsualInterval({ ms: (intervalSeconds ?? 0) * 1_000, lastTime: null });
    this.#watched.set(serviceId, {
      org: organizationId,
      id: serviceId,
      heardAt: this.#clock.value,
      interval,
      offline,
    });
  }

  /** A request of the service was received at `receivedAt` (ms). Answers whether the service was offline until now. */
  heard(organizationId: string, serviceId: string, receivedAt: number): boolean {
    let watched = this.#watched.get(serviceId);
    if (!watched) {
      this.watch(organizationId, serviceId, null, false);
      watched = this.#watched.get(serviceId) as Watched;
      this.#undo.push(() => this.#watched.delete(serviceId));
    }
    watched.heardAt = this.#clock.value;
    watched.interval.observe(receivedAt);
    return this.#setOffline(watched, false);
  }

  /** Takes a heartbeat and answers the services that have just become silent. */
  tick(at: number): ServiceKey[] {
    const before = this.#clock.value;
    const now = this.#clock.tick(at);
    const silent: ServiceKey[] = [];
    if (now === before) return silent;
    for (const watched of this.#watched.values()) {
      if (watched.offline || !isSilent(now, watched.heardAt, watched.interval.ms)) continue;
      this.#setOffline(watched, true);
      silent.push({ org: watched.org, id: watched.id });
    }
    return silent;
  }

  usualIntervalMs(serviceId: string): number {
    return this.#watched.get(serviceId)?.interval.ms ?? 0;
  }

  forget(serviceId: string): void {
    this.#watched.delete(serviceId);
  }

  committed(): void {
    this.#undo = [];
  }

  rolledBack(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  #setOffline(watched: Watched, offline: boolean): boolean {
    if (watched.offline === offline) return false;
    watched.offline = offline;
    this.#undo.push(() => {
      watched.offline = !offline;
    });
    return true;
  }
}
