import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunCommand } from '../../collectors/run-command.ts';
import { type FileTree, openFileTree } from '../../testing/file-tree.harness.ts';
import { failedUnitsIn } from '../failed-units.ts';
import { createUnitCollector } from './units.ts';

let tree: FileTree;
beforeEach(() => {
  tree = openFileTree();
});
afterEach(() => tree.remove());

/** The state that systemd would have of each unit. */
type States = Record<string, string>;

function open(states: States, units: string[], calls: string[] = [], folder?: string) {
  const run: RunCommand = async (file, args) => {
    calls.push([file, ...args].join(' '));
    const names = Object.keys(states);
    const stdout = args.includes('show')
      ? args
          .slice(args.indexOf('--') + 1)
          .map((name) => {
            const isService = name.endsWith('.service') ? 'NRestarts=2\n' : '';
            return `Id=${name}\nLoadState=loaded\nActiveState=${states[name]}\n${isService}MemoryCurrent=${isService ? 4096 : '[not set]'}\n`;
          })
          .join('\n')
      : names
          .filter((name) => states[name] === 'failed')
          .map((name) => `${name} loaded failed failed A description\n`)
          .join('');
    return { code: 0, stdout };
  };
  let now = 0;
  const failedUnits = folder === undefined ? undefined : failedUnitsIn(folder);
  const collector = createUnitCollector({ root: tree.root, run, monotonic: () => now, units, failedUnits });
  return async (at: number) => {
    now = at;
    return (await collector.read(at)).parts;
  };
}

test('reports units that failed and those that options name, failed ones first', async () => {
  tree.write({ 'run/systemd/system/x': '' });
  const states = {
    'nginx.service': 'active',
    'backup.timer': 'inactive',
    'db.service': 'failed',
    'odd.mount': 'active',
  };
  const calls: string[] = [];
  const parts = await open(states, ['nginx.service', 'backup.timer'], calls)(0);
  expect(parts).toEqual([
    {
      kind: 'unit',
      name: 'db.service',
      labels: { type: 'service', load: 'loaded' },
      metrics: { active: 0, failed: 1, restart_count: 2, memory_bytes: 4096 },
    },
    {
      kind: 'unit',
      name: 'nginx.service',
      labels: { type: 'service', load: 'loaded' },
      metrics: { active: 1, failed: 0, restart_count: 2, memory_bytes: 4096 },
    },
    {
      kind: 'unit',
      name: 'backup.timer',
      labels: { type: 'timer', load: 'loaded' },
      metrics: { active: 0, failed: 0 },
    },
  ]);
  expect(calls).toHaveLength(2);
});

test('reports a unit for an hour after it recovered', async () => {
  tree.write({ 'run/systemd/system/x': '' });
  const states: States = { 'db.service': 'failed' };
  const read = open(states, []);
  expect((await read(0))?.[0]?.metrics).toMatchObject({ failed: 1, active: 0 });
  states['db.service'] = 'active';
  expect((await read(60_000))?.[0]?.metrics).toMatchObject({ failed: 0, active: 1 });
  expect(await read(3_590_000)).toHaveLength(1);
  expect(await read(3_630_000)).toEqual([]);
});

test('reads units again at once when one has started or ended, and otherwise every 30 seconds', async () => {
  tree.write({ 'run/systemd/system/x': '', 'run/systemd/units/invocation:db.service': '' });
  const states: States = { 'db.service': 'active' };
  const calls: string[] = [];
  const read = open(states, ['db.service'], calls);
  expect((await read(0))?.[0]?.metrics).toMatchObject({ failed: 0 });
  states['db.service'] = 'failed';
  expect((await read(10_000))?.[0]?.metrics).toMatchObject({ failed: 0 });
  expect(calls).toHaveLength(2);
  rmSync(join(tree.root, 'run/systemd/units/invocation:db.service'));
  expect((await read(11_000))?.[0]?.metrics).toMatchObject({ failed: 1 });
});

test('reads units again every 30 seconds even if none has started or ended', async () => {
  tree.write({ 'run/systemd/system/x': '' });
  const states: States = { 'db.service': 'active' };
  const read = open(states, ['db.service']);
  await read(0);
  states['db.service'] = 'inactive';
  expect((await read(29_000))?.[0]?.metrics).toMatchObject({ active: 1 });
  expect((await read(30_000))?.[0]?.metrics).toMatchObject({ active: 0 });
});

test('reports at once that a failure was reset, and asks for nothing else while a unit stays failed', async () => {
  tree.write({ 'run/systemd/system/x': '' });
  const states: States = { 'db.service': 'failed' };
  const calls: string[] = [];
  const read = open(states, [], calls);
  await read(0);
  expect((await read(2_000))?.[0]?.metrics).toMatchObject({ failed: 1 });
  expect(calls).toHaveLength(3);
  states['db.service'] = 'inactive';
  expect((await read(4_000))?.[0]?.metrics).toMatchObject({ failed: 0 });
  await read(6_000);
  expect(calls).toHaveLength(5);
});

test('reports that a unit recovered while the agent did not run', async () => {
  tree.write({ 'run/systemd/system/x': '' });
  const folder = join(tree.root, 'buffer');
  expect(await open({ 'db.service': 'failed' }, [], [], folder)(0)).toHaveLength(1);
  const parts = await open({ 'db.service': 'active' }, [], [], folder)(0);
  expect(parts).toMatchObject([{ name: 'db.service', metrics: { active: 1, failed: 0 } }]);
});

test('reports nothing of what is no name of a unit in the file of failed units', async () => {
  tree.write({ 'run/systemd/system/x': '', 'buffer/failed-units': '--help me\n\ndb\n' });
  expect(await open({}, [], [], join(tree.root, 'buffer'))(0)).toEqual([]);
});

test('asks nothing of a machine that systemd does not run', async () => {
  const calls: string[] = [];
  expect(await open({}, ['nginx'], calls)(0)).toBeUndefined();
  expect(calls).toEqual([]);
});

test('fails while systemd does not answer', async () => {
  tree.write({ 'run/systemd/system/x': '' });
  const run: RunCommand = async () => ({ code: 1, stdout: 'Failed to connect to bus' });
  const collector = createUnitCollector({ root: tree.root, run, monotonic: () => 0, units: [] });
  await expect(collector.read(0)).rejects.toThrow('systemctl ended with code 1');
});
