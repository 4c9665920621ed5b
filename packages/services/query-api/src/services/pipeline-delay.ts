import { partitionOf } from '@tidewatch/contracts/ingest/partition';
import type { Service, StatusReason } from '@tidewatch/contracts/services/service';
import type { Sql } from '@tidewatch/database/connection';
import { DELAYED_AFTER_MS } from '@tidewatch/domain/health/pipeline-delay';
import { type PipelineClock, readPipelineClocks } from '@tidewatch/store/health/pipeline-clocks';

const READ_EVERY_MS = 1_000;

/** Marks services whose samples are evaluated with delay; the lag is read at most once a second. */
export class PipelineDelay {
  readonly #sql: Sql;
  readonly #clock: () => number;
  #clocks: readonly PipelineClock[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(sql: Sql, clock: () => number) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** Adds the reason `pipeline_delayed` to services whose partition is behind. */
  async mark<T extends Pick<Service, 'name' | 'status_reasons'>>(
    organizationId: string,
    services: readonly T[],
  ): Promise<T[]> {
    const now = this.#clock();
    if (now - this.#readAt >= READ_EVERY_MS) {
      this.#clocks = await readPipelineClocks(this.#sql);
      this.#readAt = now;
    }
    const behind = new Map<number, number>();
    for (const { partition, completeUntil } of this.#clocks)
      if (now - completeUntil >= DELAYED_AFTER_MS) behind.set(partition, now - completeUntil);
    const count = this.#clocks[0]?.partitions ?? 0;
    if (behind.size === 0) return [...services];
    return services.map((service) => {
      const delay = behind.get(partitionOf(organizationId, service.name, count));
      if (delay === undefined) return service;
      return { ...service, status_reasons: [...service.status_reasons, reasonOf(delay)] };
    });
  }
}

function reasonOf(delay: number): StatusReason {
  const seconds = Math.round(delay / 1_000);
  const message = `What this host sent is evaluated with a delay of ${seconds} seconds.`;
  return { code: 'pipeline_delayed', message, alert_id: null };
}
