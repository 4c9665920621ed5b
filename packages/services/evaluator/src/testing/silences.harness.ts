import type { SilenceDefinition, SilenceMatchers } from '@tidewatch/contracts/silences/silence';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { readRecurrence } from '@tidewatch/domain/silence/recurrence';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { acknowledgeAlert, resolveAlert } from '@tidewatch/store/alerts/act';
import { deleteSilence, insertSilence } from '@tidewatch/store/silences/write';
import {
  createSilenceMarks,
  type SilenceMarks,
  type SilenceMarksOptions,
} from '../silences/silence-marks.ts';
import { type EvaluatorHarness, ORGANIZATION } from './evaluator.harness.ts';

const ACTOR = { key_id: newId('key'), name: 'harness' };

/** Writes silences as the query API does, by the harness’s clock. */
export class SilencesHarness {
  readonly #harness: EvaluatorHarness;

  constructor(harness: EvaluatorHarness) {
    this.#harness = harness;
  }

  /** Creates a silence; `from` and `until` are minutes from now, by default now and in an hour. */
  async silence(
    matchers: Partial<SilenceMatchers>,
    {
      from = 0,
      until = 60,
      recurrence = null,
      organizationId = ORGANIZATION,
    }: { from?: number; until?: number; recurrence?: string | null; organizationId?: string } = {},
  ): Promise<string> {
    const id = newId('sil');
    const { now } = this.#harness;
    const times = { from: now + from * MINUTE_MS, until: now + until * MINUTE_MS };
    const definition: SilenceDefinition = {
      matchers: { hosts: [], tags: {}, rule_ids: [], severities: [], subjects: [], ...matchers },
      ...times,
      recurrence,
      timezone: 'UTC',
      comment: '',
    };
    const read = recurrence === null ? { last: times.from } : readRecurrence(recurrence, times.from, 'UTC');
    if ('code' in read) throw new Error(read.message);
    const endsAt = read.last + times.until - times.from;
    await this.#harness.store.transact((tx) =>
      insertSilence(tx, this.#write(id, organizationId), definition, endsAt, ACTOR),
    );
    return id;
  }

  async end(id: string): Promise<boolean> {
    return this.#harness.store.transact((tx) => deleteSilence(tx, this.#write(id)));
  }

  async resolve(id: string) {
    return this.#act(resolveAlert, id);
  }

  async acknowledge(id: string) {
    return this.#act(acknowledgeAlert, id);
  }

  /** Creates another process that compares silences with alerts, by the harness’s clock. */
  marks(more: Partial<Pick<SilenceMarksOptions, 'newId' | 'commits'>> = {}): SilenceMarks {
    return createSilenceMarks({
      sql: this.#harness.store.sql,
      clock: () => this.#harness.now,
      newId,
      everyMs: 5,
      holder: newId('key'),
      metrics: createMetrics(),
      logger: createSilentLogger(),
      ...more,
    });
  }

  #act(what: typeof resolveAlert, id: string) {
    const act = { ...this.#write(id), actor: ACTOR, comment: null, publicUrl: null };
    return this.#harness.store.transact((tx) => what(tx, act));
  }

  #write(id: string, organizationId = ORGANIZATION) {
    return {
      organizationId,
      id,
      eventId: newId('evt'),
      now: this.#harness.now,
      audit: null,
    };
  }
}
