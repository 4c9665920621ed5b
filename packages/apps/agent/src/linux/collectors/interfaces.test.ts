import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileTree, openFileTree } from '../../testing/file-tree.harness.ts';
import { createInterfaceCollector } from './interfaces.ts';

let tree: FileTree;
let added: string[];
beforeEach(() => {
  tree = openFileTree();
  added = [];
});
afterEach(() => tree.remove());

/** Adds an interface to /sys: of hardware, or below devices/virtual. */
function add(name: string, where: 'hardware' | 'virtual', files: Record<string, string> = {}): void {
  added.push(name);
  const folder = where === 'hardware' ? `sys/devices/pci0/net/${name}` : `sys/devices/virtual/net/${name}`;
  const index = String(added.length);
  const all = { ifindex: index, iflink: index, operstate: 'up\n', flags: '0x1003\n', ...files };
  tree.write(Object.fromEntries(Object.entries(all).map(([file, text]) => [`${folder}/${file}`, text])));
  tree.link({ [`sys/class/net/${name}`]: `../../${folder.slice(4)}` });
}

function setMaster(port: string, master: string): void {
  tree.link({ [`sys/class/net/${port}/master`]: `../${master}` });
}

function writeCounters(count: number, names = added): void {
  const lines = names.map(
    (name) =>
      `${name}: ${count} ${count} ${count} ${count} 0 0 0 0 ${count} ${count} ${count} ${count} 0 0 0 0`,
  );
  tree.write({ 'proc/net/dev': `Inter-| Receive\n face |bytes\n${lines.join('\n')}\n` });
}

async function partsAfter(before: number, after: number) {
  const collector = createInterfaceCollector(tree);
  writeCounters(before);
  await collector.read(0);
  writeCounters(after);
  return (await collector.read(10_000)).parts ?? [];
}

test('reports traffic, errors, drops, speed and link of an interface between two readings', async () => {
  add('eth0', 'hardware', { speed: '1000\n', carrier_changes: '3\n' });
  expect(await partsAfter(0, 250_000_000)).toEqual([
    {
      kind: 'network',
      name: 'eth0',
      labels: { type: 'hardware' },
      metrics: {
        up: 1,
        receive_bytes_per_second: 25_000_000,
        transmit_bytes_per_second: 25_000_000,
        receive_packets_per_second: 25_000_000,
        transmit_packets_per_second: 25_000_000,
        errors_per_second: 50_000_000,
        drops_per_second: 50_000_000,
        carrier_change_count: 3,
        speed_bits_per_second: 1_000_000_000,
        utilization_percent: 20,
      },
    },
  ]);
});

test('reports bonds, VLANs, tunnels and bridges to the outside, and no ports, loopback or ends of containers', async () => {
  add('lo', 'virtual');
  for (const [port, state] of [
    ['eth0', 'up'],
    ['eth1', 'down'],
  ] as const)
    add(port, 'hardware', { 'bonding_slave/mii_status': `${state}\n` });
  add('bond0', 'virtual', { 'bonding/slaves': 'eth0 eth1\n' });
  add('bond0.7', 'virtual', { uevent: 'DEVTYPE=vlan\n', iflink: '4' });
  add('br0', 'virtual', { 'bridge/x': '', 'brif/eth2': '' });
  add('eth2', 'hardware');
  add('docker0', 'virtual', { 'bridge/x': '', 'brif/veth1': '' });
  add('veth1', 'virtual', { iflink: '2' });
  add('veth2', 'virtual', { iflink: '2' });
  add('tun0', 'virtual', { tun_flags: '0x1', operstate: 'unknown\n' });
  add('ifb0', 'virtual');
  add('eth3', 'hardware');
  add('enP1s1', 'hardware');
  setMaster('eth0', 'bond0');
  setMaster('eth1', 'bond0');
  setMaster('eth2', 'br0');
  setMaster('veth1', 'docker0');
  setMaster('enP1s1', 'eth3');
  const parts = await partsAfter(1, 2);
  expect(parts.map(({ name, labels }) => `${name} ${labels?.type}`)).toEqual([
    'eth2 hardware',
    'eth3 hardware',
    'bond0 bond',
    'bond0.7 vlan',
    'br0 bridge',
    'tun0 tun',
  ]);
  expect(parts.find(({ name }) => name === 'bond0')?.metrics).toMatchObject({ ports: 2, ports_up: 1 });
  expect(parts.find(({ name }) => name === 'tun0')?.metrics.up).toBe(1);
});

test('reports the link of a container, which is one end of a veth', async () => {
  add('lo', 'virtual');
  add('eth0', 'virtual', { iflink: '99' });
  expect((await partsAfter(1, 2)).map(({ name }) => name)).toEqual(['eth0']);
});

test('reports an interface as down once it was in use, and not one that never was', async () => {
  add('eth0', 'hardware');
  add('eth1', 'hardware', { operstate: 'down\n', flags: '0x1002\n' });
  writeCounters(0);
  const collector = createInterfaceCollector(tree);
  const upOf = async (at: number) =>
    ((await collector.read(at)).parts ?? []).map(({ name, metrics }) => [name, metrics.up]);
  expect(await upOf(0)).toEqual([['eth0', 1]]);
  tree.write({ 'sys/class/net/eth0/operstate': 'down\n' });
  expect(await upOf(10_000)).toEqual([['eth0', 0]]);
  writeCounters(5);
  expect(await upOf(20_000)).toEqual([
    ['eth0', 0],
    ['eth1', 0],
  ]);
});
