import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import type { Facts } from '@tidewatch/domain/investigation/facts';
import { investigate } from '@tidewatch/domain/investigation/investigate';
import { symptomOf } from '@tidewatch/domain/investigation/symptom/symptom';
import { comparedStep } from '@tidewatch/domain/investigation/window';
import { bucketOf, retainedTiers } from '@tidewatch/domain/rollup/buckets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StorageBackendName } from '../../backends/storage-backend.ts';
import type { StoreUnderTest } from '../../backends/store.contract.ts';
import { readPartEvidence, readSeriesEvidence } from '../evidence/read-evidence.ts';
import { EVERY, OLD_TROUBLE_MINUTES, payloadsOf, TROUBLE_MINUTES } from './facts-payloads.harness.ts';
import { gatherFacts } from './gather.ts';

const KEPT = { raw: 2 * DAY_MS, '1m': 30 * DAY_MS, '1h': 400 * DAY_MS, '1d': 1826 * DAY_MS };
const HISTORY_MINUTES = 180;

/** Tests that every storage backend returns the same facts of an investigation. */
export function describeFacts(backend: StorageBackendName, open: () => Promise<StoreUnderTest>): void {
  describe(`${backend}: the facts of an investigation`, () => {
    let under: StoreUnderTest;
    let facts: Facts;
    let start: number;
    let to: number;
    const service = new Map<string, string>();
    const sent = new Map<string, Payload[]>();
    const alert = newId('alr');
    const earlier = newId('alr');
    const ofPart = newId('alr');

    beforeAll(async () => {
      under = await open();
      to = bucketOf(under.now(), EVERY) + 1;
      start = bucketOf(to - (HISTORY_MINUTES + TROUBLE_MINUTES) * MINUTE_MS, EVERY);
      for (const host of ['victim', 'alike', 'moved', 'other'])
        sent.set(host, [...payloadsOf(host, start, to)]);
      const all = [...sent.values()].flat().sort((a, b) => a.time - b.time);
      for (let first = 0; first < all.length; first += 800) await under.send(all.slice(first, first + 800));
      const rows = await under.sql<{ host: string; id: string }[]>`select host, id from services`;
      for (const { host, id } of rows) service.set(host, id);
      await addAlerts();
      await under.admin`
        insert into markers (organization_id, id, title, at, selector, tags, created_at, created_by)
        select ${under.organizationId}, m.id, m.id, ${to - 5 * MINUTE_MS}::timestamptz, m.selector::jsonb, '{}', now(), '{}'
        from (values ('mrk_here', '{"tags": {"role": "web"}}'), ('mrk_elsewhere', '{"hosts": ["nobody-*"]}')) as m (id, selector)`;
      const gathered = await gather(new AbortController().signal);
      if (gathered === null) throw new Error('the service does not exist any more');
      facts = gathered;
    }, 120_000);
    afterAll(() => under?.close());

    function gather(
      signal: AbortSignal,
      { metric, alertIds, from }: { metric: string; alertIds: string[]; from?: number } = {
        metric: 'cpu_percent',
        alertIds: [alert],
      },
    ): Promise<Facts | null> {
      const retained = retainedTiers(under.now(), KEPT);
      return gatherFacts(under.investigator, {
        organizationId: under.organizationId,
        serviceId: service.get('victim') ?? '',
        question: null,
        metric,
        alertIds,
        from: from ?? to - 40 * MINUTE_MS,
        to,
        retained,
        signal,
        maxPeers: 2,
      });
    }

    async function addAlerts(): Promise<void> {
      const { admin, organizationId } = under;
      const investigation = newId('inv');
      await admin`
        insert into investigations (organization_id, id, created_at, trigger, service_id, host, title, window_from, window_to, status,
          conclusion, analysis, feedback, updated_at)
        values (${organizationId}, ${investigation}, now(), 'alert', ${service.get('victim') ?? ''}, 'victim', 't', now(),
          now(), 'completed', 'root_cause_found', '{"root_cause": "The process job"}',
          '{"helpful": true, "actual_root_cause": "a backup"}', now())`;
      for (const { id, host, minutes, of } of [
        { id: alert, host: 'victim', minutes: 5, of: null },
        { id: earlier, host: 'victim', minutes: 2 * 24 * 60, of: investigation },
        { id: newId('alr'), host: 'moved', minutes: 3, of: null },
        { id: newId('alr'), host: 'alike', minutes: 31 * 24 * 60, of: null },
      ])
        await admin`
          insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
            status, state, severity, metric, condition, threshold, value_at_fire, summary, pending_since, fired_at, context,
            investigation_id, resolved_at)
          values (${organizationId}, ${id}, 'rul_1', 'busy', 1, ${service.get(host) ?? ''}, ${host}, 'host', ${host},
            ${minutes < 10 ? 'active' : 'resolved'}, ${minutes < 10 ? 'firing' : 'resolved'}, 'critical', 'cpu_percent',
            'greater_than', 90, 96, 's', ${to - (minutes + 5) * MINUTE_MS}::timestamptz, ${to - minutes * MINUTE_MS}::timestamptz,
            '{}', ${of}, ${minutes < 10 ? null : to - (minutes - 1) * MINUTE_MS}::timestamptz)`;
    }

    it('has history of every host where a window begins before the first sample', async () => {
      const asked = { metric: 'cpu_percent', alertIds: [], from: start - 60 * MINUTE_MS };
      const gathered = await gather(new AbortController().signal, asked);
      const own = gathered?.metrics.find(
        ({ metric, subject }) => metric === 'cpu_percent' && subject.kind === 'host',
      );
      expect(gathered?.from).toBe(Math.ceil((start + to) / 2));
      expect(own?.before.times[0]).toBe(start);
      const peer = gathered?.peers[0]?.metrics.find(({ metric }) => metric === 'cpu_percent');
      expect(peer?.usual.count).toBeGreaterThan(100);
      expect(peer?.recent.times[0]).toBeLessThan(gathered?.from ?? 0);
    });

    it('has the metrics of the part that the alert is about, before those of its host', async () => {
      const { admin, organizationId } = under;
      await admin`
        insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
          status, state, severity, metric, condition, threshold, value_at_fire, summary, pending_since, fired_at, context)
        values (${organizationId}, ${ofPart}, 'rul_2', 'full', 1, ${service.get('victim') ?? ''}, 'victim', 'part',
          'filesystem:/var', 'active', 'firing', 'critical', 'filesystem.used_percent', 'greater_than', 90, 97, 's',
          ${to - 9 * MINUTE_MS}::timestamptz, ${to - 4 * MINUTE_MS}::timestamptz, '{}')`;
      const metric = 'filesystem.used_percent';
      const gathered = await gather(new AbortController().signal, { metric, alertIds: [ofPart] });
      await admin`delete from alerts where id = ${ofPart}`;
      const subject = { kind: 'part', name: 'filesystem:/var' };
      expect(gathered).toMatchObject({ subject, metric: 'used_percent' });
      const own = gathered?.metrics.filter(({ subject: of }) => of.kind === 'part') ?? [];
      expect(own.map((each) => [each.subject.name, each.metric])).toEqual([
        ['filesystem:/var', 'inodes_used_percent'],
        ['filesystem:/var', 'used_percent'],
      ]);
      expect(gathered?.metrics.slice(0, 2)).toEqual(own);
      const used = own[1] as (typeof own)[number];
      expect(new Set(used.recent.values)).toEqual(new Set([40, 97]));
      expect(used.source.ref).toBe('host:victim/part:filesystem:/var/used_percent');
      expect(symptomOf(gathered as Facts).metric?.subject).toEqual(subject);
    });

    it('has the series of a part that a model asks for, and none of a part that is not there', async () => {
      const { investigator: sql, organizationId } = under;
      const retained = retainedTiers(under.now(), KEPT);
      const context = { sql, organizationId, retained };
      const asked = {
        host: 'victim',
        metric: 'used_percent',
        container: null,
        from: to - 40 * MINUTE_MS,
        to,
      };
      const draft = await readSeriesEvidence(context, { ...asked, part: 'filesystem:/var' });
      expect(draft?.ref).toContain('host:victim/part:filesystem:/var/used_percent');
      expect(draft?.stats).toMatchObject({ least: 40, greatest: 97 });
      for (const part of ['filesystem:/srv', 'filesystem', 'disk:/var'])
        expect(await readSeriesEvidence(context, { ...asked, part })).toBeNull();
      expect(await readSeriesEvidence(context, asked)).toBeNull();
      const parts = (kind: string | null, at: number) =>
        readPartEvidence(context, { host: 'victim', kind, at });
      const listed = await parts('filesystem', to);
      expect(listed?.points).toContainEqual({
        part: 'filesystem:/var',
        metrics: expect.stringContaining('"used_percent":'),
      });
      expect(listed?.stats).toMatchObject({ parts: listed?.points.length });
      expect((await parts(null, to))?.ref).not.toBe(listed?.ref);
      expect(await parts('gpu', to)).toBeNull();
      expect(await parts(null, to - 30 * DAY_MS)).toBeNull();
    });

    const cpuOf = ({ metrics, values }: Payload) => values[metrics.indexOf('cpu_percent')];
    const metricOf = (name: string, kind = 'host') =>
      facts.metrics.find(({ metric, subject }) => metric === name && subject.kind === kind);
    const points = (series: { times: Float64Array; values: Float64Array } | undefined) =>
      [...(series?.times ?? [])].map((time, index) => [time, series?.values[index]]);

    it('has each metric of the host and its containers: minutes of before, samples of the window', () => {
      const own = sent.get('victim') ?? [];
      const minutes = [...Map.groupBy(own, ({ time }) => bucketOf(time, MINUTE_MS))].map(([at, payloads]) => [
        at,
        payloads.reduce((sum, payload) => sum + (cpuOf(payload) ?? 0), 0) / payloads.length,
      ]);
      const cpu = metricOf('cpu_percent');
      expect(points(cpu?.history).map(([at]) => at)).toEqual(minutes.map(([at]) => at));
      for (const [index, [, mean]] of minutes.entries())
        expect(cpu?.history.values[index]).toBeCloseTo(mean ?? 0, 9);
      const samples = own.map((payload) => [payload.time, cpuOf(payload)] as const);
      expect(points(cpu?.recent)).toEqual(samples.filter(([time]) => time >= facts.from));
      expect(points(cpu?.before)).toEqual(
        samples.filter(([time]) => time >= facts.peersFrom && time < facts.from),
      );
      expect(facts.metrics.map(({ metric, subject }) => [subject.kind, subject.name, metric])).toEqual([
        ['host', 'victim', 'cpu_percent'],
        ['host', 'victim', 'still_percent'],
        ['host', 'victim', 'latency_ms'],
        ['container', 'api', 'cpu_percent'],
        ['container', 'api', 'memory_usage'],
      ]);
      expect(metricOf('memory_usage', 'container')?.unit).toBe('bytes');
      expect(cpu?.source).toMatchObject({
        ref: 'host:victim/cpu_percent',
        query: expect.stringMatching(/^GET \/api\/v1\/services\/svc_\w+\/metrics\?metrics=cpu_percent&from=/),
      });
    });

    it('has the newest snapshot of each minute since an hour before, processes of one name summed', () => {
      const own = (sent.get('victim') ?? []).filter(({ time }) => time >= facts.from - 60 * MINUTE_MS);
      const newest = [...Map.groupBy(own, ({ time }) => bucketOf(time, MINUTE_MS)).values()].map(
        (payloads) => payloads.at(-1)?.time,
      );
      expect(facts.snapshots.map(({ time }) => time)).toEqual(newest);
      expect([...facts.payloadTimes]).toEqual(own.map(({ time }) => bucketOf(time, 1_000)));
      expect(facts.snapshots.at(-1)?.processes).toEqual([
        { name: 'job', count: 1, pids: [9], cpuPercent: 70, memory: 5_000 },
        { name: 'worker', count: 2, pids: [2, 1], cpuPercent: 5, memory: 3_000 },
      ]);
      expect(facts.snapshots.at(-1)?.containers).toEqual([
        { name: 'api', count: 1, pids: [], image: 'api:1', status: 'running', cpuPercent: 4, memory: 7_000 },
      ]);
      expect(facts.snapshots[0]?.processes.map(({ name }) => name)).toEqual(['worker']);
    });

    it('compares with hosts that have alerts and with those most alike, by what is usual there', () => {
      expect(facts.peersLeftOut).toBe(1);
      expect(facts.peers.map(({ host }) => host).sort()).toEqual(['alike', 'moved']);
      const peer = facts.peers.find(({ host }) => host === 'moved');
      expect(peer?.tags).toEqual({ role: 'db' });
      expect(peer?.metrics.map(({ metric }) => metric)).toEqual(['cpu_percent', 'queue_count']);
      const alike = facts.peers.find(({ host }) => host === 'alike');
      expect(alike?.metrics.map(({ metric }) => metric)).toEqual(['cpu_percent']);
      const queue = peer?.metrics[1];
      expect(queue?.usual).toMatchObject({ min: 9, max: 12, median: expect.closeTo(10.5, 0) });
      expect(queue?.usual.mad).toBeLessThan(1);
      expect(queue?.recent.values.at(-1)).toBe(500);
      const step = comparedStep(facts);
      expect(queue?.recent.times[0]).toBeGreaterThan(facts.peersFrom - step);
      expect([...(queue?.recent.times ?? [])].every((time) => time % step === 0)).toBe(true);
      const steps = Math.ceil((facts.to - facts.peersFrom) / step);
      expect(queue?.recent.times.length).toBeLessThanOrEqual(steps + 1);
    });

    it('reads other hosts from before a trouble that is older than the window, by what was usual then', async () => {
      const found = await gather(new AbortController().signal, { metric: 'latency_ms', alertIds: [alert] });
      const began = to - OLD_TROUBLE_MINUTES * MINUTE_MS;
      const symptom = symptomOf(found as Facts);
      expect(Math.abs(symptom.startedAt - began)).toBeLessThanOrEqual(2 * MINUTE_MS);
      expect(found?.peersFrom).toBeLessThan(facts.peersFrom);
      expect(found?.peersFrom).toBeLessThanOrEqual(began - 30 * MINUTE_MS);
      const peer = found?.peers.find(({ host }) => host === 'moved');
      const disk = peer?.metrics.find(({ metric }) => metric === 'disk_io_wait_percent');
      expect(disk?.recent.times[0]).toBeLessThan(began - 29 * MINUTE_MS);
      expect([...(disk?.usual.hourly ?? [])].every((mean) => mean < 4)).toBe(true);
      const [first] = investigate(found as Facts).findings;
      expect([first?.host, first?.metric]).toEqual(['moved', 'disk_io_wait_percent']);
    });

    it('knows what happened before, with what was said of it, and what people did', () => {
      expect(facts.alert).toMatchObject({
        id: alert,
        ruleName: 'busy',
        value: 96,
        pendingSince: to - 10 * MINUTE_MS,
      });
      expect(facts.past.map(({ host }) => host)).toEqual(['moved', 'victim']);
      expect(facts.past[1]).toMatchObject({
        id: earlier,
        investigation: {
          conclusion: 'root_cause_found',
          rootCause: 'The process job',
          feedback: { helpful: true, actualRootCause: 'a backup' },
        },
      });
      expect(
        facts.changes.map(({ kind, title, hosts }) => [kind, title, hosts.map(({ host }) => host)]),
      ).toEqual([
        ['tag', 'tag version: 1 → 2', ['victim']],
        ['marker', 'mrk_here', ['victim', 'alike']],
      ]);
    });

    it('stops between two statements once its signal is aborted', async () => {
      const reason = new Error('enough');
      await expect(gather(AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
}
