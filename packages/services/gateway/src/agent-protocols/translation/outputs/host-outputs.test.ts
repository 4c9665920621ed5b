import { createRandom } from '@tidewatch/harness/seeded-random';
import { describe, expect, it } from 'vitest';
import { openTranslator, type Point } from '../../../testing/translator.harness.ts';
import { Computations } from '../computed/computations.ts';
import { HostOutputs } from './host-outputs.ts';
import { Outputs } from './outputs.ts';

const ROOT = { kind: 'filesystem', name: '/', labels: { type: 'ext4' } };

function open() {
  const outputs = new Outputs();
  const computations = new Computations(outputs);
  return { outputs, computations, host: new HostOutputs(3, outputs, computations) };
}

describe('the outputs of a host', () => {
  it('are not computed any more of an output whose number is given again', () => {
    const { outputs, computations, host } = open();
    const load = host.of(null, 'node_load1') as number;
    host.hold(load);
    host.leave(load);
    const other = host.of(null, 'node_time_seconds');
    expect(other).toBe(load);
    outputs.set(load, 1_000, 7, -1);
    const pending: number[] = [];
    computations.collect(load, 1, pending);
    expect(pending).toEqual([]);
  });

  it('keep a computed metric once no agent sends it any more', () => {
    const { outputs, host } = open();
    host.of(null, 'node_load1');
    const computed = host.of(null, 'load_1') as number;
    host.hold(computed);
    host.leave(computed);
    expect([host.of(null, 'load_1'), outputs.metricOf(computed)]).toEqual([computed, 'load_1']);
  });

  it('are released with their part once it has no series', () => {
    const { outputs, computations, host } = open();
    const sizes = ['size', 'free', 'avail'].map(
      (each) => host.of(ROOT, `node_filesystem_${each}_bytes`) as number,
    );
    const used = host.of(ROOT, 'used_percent') as number;
    const full = host.of(null, 'disk_percent') as number;
    for (const output of sizes) host.hold(output);
    for (const output of sizes) host.leave(output);
    expect(outputs.texts.find('used_percent')).toBe(-1);
    expect(outputs.metricOf(full)).toBe('disk_percent');
    const again = host.of(ROOT, 'node_filesystem_readonly') as number;
    expect([...sizes, used]).toContain(again);
    const pending: number[] = [];
    computations.collect(again, 1, pending);
    expect(pending.map((each) => outputs.metricOf(computations.outputOf(each)))).toEqual(['read_only']);
  });

  it('leave nothing behind once the host is forgotten', () => {
    const { outputs, computations, host } = open();
    const numbers = new Set<number | undefined>();
    let forgotten = host;
    for (let turn = 0; turn < 20; turn += 1) {
      for (const name of ['/', '/var', '/srv']) {
        numbers.add(forgotten.of(null, `load of ${name}`));
        for (const each of ['size', 'free', 'avail'])
          numbers.add(forgotten.of({ ...ROOT, name }, `node_filesystem_${each}_bytes`));
      }
      forgotten.clear();
      forgotten = new HostOutputs(turn, outputs, computations);
    }
    // With three used_percent and two metrics of the host that are computed of them.
    expect(Math.max(...[...numbers].map(Number))).toBeLessThan(17);
    expect(outputs.texts.find('used_percent')).toBe(-1);
    const load = host.of(null, 'load of /') as number;
    expect([outputs.hostOf(load), outputs.metricOf(load)]).toEqual([3, 'load of /']);
  });
});

const HOSTS = ['web-01', 'web-02', 'db-01', 'db-02'];

/** All that hosts may send in a round: gauges, each with a value of its own. */
function pointsOf(host: string, round: number): Point[] {
  const base = { instance: `${host}:9100`, job: 'node' };
  const points: Point[] = [];
  const add = (name: string, labels: Record<string, string>) =>
    points.push([name, labels, round * 1_000 + points.length, round * 15]);
  for (const name of ['node_load1', 'node_load5', 'node_memory_MemTotal_bytes', 'node_time_seconds'])
    add(name, base);
  for (const mountpoint of ['/', '/var', '/srv'])
    for (const name of ['size_bytes', 'free_bytes', 'avail_bytes', 'readonly'])
      add(`node_filesystem_${name}`, { ...base, mountpoint, fstype: 'ext4' });
  for (const queue of ['a', 'b', 'c'])
    for (const name of ['length', 'age'])
      add(`queue_${name}`, { instance: `${host}:80`, job: 'shop', host, queue });
  return points;
}

it('stores values under their own names, once each, while series and hosts are forgotten and numbers given again', () => {
  const random = createRandom(174);
  const { translate, table } = openTranslator();
  for (let round = 1; round <= 200; round += 1) {
    if (random() < 0.4) table.turn();
    for (const host of HOSTS) {
      if (random() < 0.4) continue;
      const share = random() < 0.3 ? 1 : 0.3;
      const points = pointsOf(host, round).filter(() => random() < share);
      const { payloads, commit } = translate(points, round * 15);
      commit();
      const stored = payloads.flatMap((payload) => {
        const names = [...payload.metrics, ...(payload.parts?.shape.keys ?? [])];
        expect(payload.host).toBe(host);
        expect(new Set(names).size).toBe(names.length);
        return [...payload.values, ...(payload.parts?.values ?? [])].map((value, index) => [
          names[index],
          value,
        ]);
      });
      const named = points.map(([name, { mountpoint, queue }, value]) => {
        const ofQueue = queue === undefined ? undefined : `job:shop,queue=${queue}`;
        const subject = mountpoint === undefined ? ofQueue : `filesystem:${mountpoint}`;
        return [subject === undefined ? name : `${subject}\0${name}`, value];
      });
      expect(stored).toEqual(expect.arrayContaining(named));
    }
  }
});
