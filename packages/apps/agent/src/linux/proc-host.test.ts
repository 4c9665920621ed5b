import { describe, expect, test } from 'vitest';
import {
  borderInterfaces,
  type CpuTimes,
  cpuMetrics,
  cpuPercent,
  type InterfaceFacts,
  memoryMetrics,
  parseCpuTimes,
  parseDisks,
  parseInterfaces,
  parseLoad,
  parseMemory,
  parseUptime,
  transferRates,
  usedPercent,
  wholeDisks,
} from './proc-host.ts';

// /proc/stat as recorded on Linux 6.1 with two processors.
const STAT = `cpu  5965 0 4183 1201355 620 0 65 53 0 0
cpu0 1590 0 1518 603288 23 0 9 24 0 0
cpu1 4375 0 2664 598067 596 0 55 29 0 0
intr 1234 0 0
ctxt 990
`;
const MEMINFO = `MemTotal:       24684084 kB
MemFree:        24176828 kB
MemAvailable:   18513063 kB
Buffers:            5904 kB
Cached:           231952 kB
SReclaimable:      40000 kB
CommitLimit:     2000000 kB
Committed_AS:    3000000 kB
SwapTotal:       1000000 kB
SwapFree:         250000 kB
HugePages_Total:       0
`;
const NET = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:   62531     378    0    0    0     0          0         0    62531     378    0    0    0     0       0          0
  eth0: 350676076    8834    0    0    0     0          0         0   685980    5586    0    0    0     0       0          0
docker0:    100       1    0    0    0     0          0         0      200       2    0    0    0     0       0          0
`;
const DISKS = `   7       0 loop0 9 0 18 0 0 0 0 0 0 0 0 0 0 0 0 0 0
 254       0 vda 15934 3160 1000 3931 33116 20211 2000 20543 0 12252 24490 0 0 0 0 15 16
 254       1 vda1 100 0 900 0 0 0 1900 0 0 0 0 0 0 0 0 0 0
`;

const times = (busy: number, total: number): CpuTimes => ({
  busy,
  total,
  user: 0,
  system: 0,
  waiting: 0,
  stolen: 0,
});

describe('processor time', () => {
  test('counts I/O wait as idle and steal as busy', () => {
    expect(parseCpuTimes(STAT)).toEqual({
      busy: 5965 + 4183 + 65 + 53,
      total: 5965 + 4183 + 1201355 + 620 + 65 + 53,
      user: 5965,
      system: 4183 + 65,
      waiting: 620,
      stolen: 53,
    });
  });
  test('is a percentage of the ticks between two readings', () => {
    expect(cpuPercent(times(100, 1000), times(150, 1200))).toBe(25);
  });
  test('is divided into user, system, stolen and waiting time', () => {
    const before = { ...times(100, 1000), user: 60, system: 40 };
    const after = { busy: 160, total: 1200, user: 90, system: 60, waiting: 50, stolen: 10 };
    expect(cpuMetrics(before, after)).toEqual({
      cpu_percent: 30,
      cpu_user_percent: 15,
      cpu_system_percent: 10,
      cpu_iowait_percent: 25,
      cpu_steal_percent: 5,
    });
  });
  test.each([
    ['no tick has passed', times(1, 5), times(1, 5)],
    ['the counters were reset', times(9, 50), times(1, 60)],
  ])('has no percentage where %s', (_, before, after) => expect(cpuPercent(before, after)).toBeUndefined());
  test('is undefined for a text that is not /proc/stat', () => expect(parseCpuTimes('')).toBeUndefined());
});

describe('memory_percent', () => {
  test('counts all memory as used that is not available', () => {
    const metrics = memoryMetrics(parseMemory(MEMINFO));
    expect(metrics.memory_percent).toBeCloseTo(25, 3);
    expect(metrics.swap_percent).toBe(75);
    expect(metrics).toMatchObject({
      memory_total_bytes: 24684084 * 1024,
      memory_available_bytes: 18513063 * 1024,
      memory_used_bytes: (24684084 - 18513063) * 1024,
      memory_cached_bytes: (5904 + 231952 + 40000) * 1024,
      memory_committed_percent: 150,
      swap_total_bytes: 1000000 * 1024,
      swap_used_bytes: 750000 * 1024,
    });
  });
  test('counts free memory, buffers and cache as available on a kernel without MemAvailable', () => {
    const sizes = new Map([
      ['MemTotal', 1000],
      ['MemFree', 300],
      ['Buffers', 100],
      ['Cached', 100],
    ]);
    expect(memoryMetrics(sizes)).toMatchObject({ memory_percent: 50, swap_percent: 0 });
  });
});

test('parses /proc/loadavg and /proc/uptime', () => {
  expect(parseLoad('0.12 1.10 15.00 2/210 8517\n')).toEqual({ load_1: 0.12, load_5: 1.1, load_15: 15 });
  expect(parseUptime('6681.43 12000.10\n')).toBe(6681.43);
  expect(parseUptime('')).toBeUndefined();
});

describe('network traffic', () => {
  test('is parsed by interface', () => {
    expect(parseInterfaces(NET).get('eth0')).toEqual({
      received: 350676076,
      sent: 685980,
      packetsReceived: 8834,
      packetsSent: 5586,
      errors: 0,
      drops: 0,
    });
    expect([...parseInterfaces(NET).keys()]).toEqual(['lo', 'eth0', 'docker0']);
  });
  test.each<[string, Record<string, Partial<InterfaceFacts>>, string[]]>([
    ['of hardware interfaces and not of a bridge', { eth0: {}, docker0: { isVirtual: true } }, ['eth0']],
    ['of all interfaces except loopback where none is hardware', { eth0: { isVirtual: true } }, ['eth0']],
    ['of a master and not of its hardware port', { eth0: {}, enP1s1: { master: 'eth0' } }, ['eth0']],
    [
      'of the ports of a bond and neither of the bond nor of its VLAN',
      {
        eth0: { master: 'bond0' },
        eth1: { master: 'bond0' },
        bond0: { isVirtual: true },
        'bond0.7': { isVirtual: true },
      },
      ['eth0', 'eth1'],
    ],
    [
      'of the hardware port of a bridge and not of the bridge',
      { eth0: { master: 'br0' }, br0: { isVirtual: true }, veth1: { isVirtual: true, master: 'br0' } },
      ['eth0'],
    ],
    [
      'of the interface that carries the ports of a switch chip',
      { eth0: {}, lan1: { lower: 'eth0' }, wan: { lower: 'eth0' } },
      ['eth0'],
    ],
    ['of no representor of a guest', { eth0: {}, eth0_1: { isRepresentor: true } }, ['eth0']],
    [
      'inside a container, of no bridge and of no port of an inner container',
      {
        eth0: { isVirtual: true },
        docker0: { isVirtual: true, isStacked: true },
        veth1: { isVirtual: true, master: 'docker0' },
      },
      ['eth0'],
    ],
    [
      'inside a container, of a port that is its only link',
      { eth0: { isVirtual: true, master: 'br0' }, br0: { isVirtual: true, isStacked: true } },
      ['eth0'],
    ],
  ])('is counted %s', (_, facts, wanted) => {
    const plain = { isVirtual: false, master: null, lower: null, isRepresentor: false, isStacked: false };
    const factsOf = (name: string) => ({ ...plain, ...facts[name] });
    expect(borderInterfaces(['lo', ...Object.keys(facts)], factsOf)).toEqual(wanted);
  });
  test('leaves out of its rate an interface that is new or was reset', () => {
    const before = new Map([
      ['a', { received: 100, sent: 100 }],
      ['b', { received: 500, sent: 0 }],
    ]);
    const after = new Map([
      ['a', { received: 300, sent: 200 }],
      ['b', { received: 10, sent: 20 }],
      ['c', { received: 9, sent: 9 }],
    ]);
    expect(transferRates(before, after, after.keys(), 10)).toEqual({ received: 20, sent: 12 });
    expect(transferRates(before, after, after.keys(), 0)).toEqual({ received: 0, sent: 0 });
  });
});

describe('disk traffic', () => {
  test('is parsed in sectors of 512 bytes', () => {
    expect(parseDisks(DISKS).get('vda')).toEqual({
      received: 1000 * 512,
      sent: 2000 * 512,
      reads: 15934,
      writes: 33116,
      readMs: 3931,
      writeMs: 20543,
      busyMs: 12252,
      queueMs: 24490,
    });
  });
  test.each<[string, Record<string, number>, string[], string[]]>([
    ['a disk and not its partitions or loop devices', { loop0: 5, vda: 5, vda1: 5, 'dm-0': 5 }, [], ['vda']],
    ['the disks below multipath', { sda: 5, sdb: 5, 'dm-0': 10, emcpowera: 10 }, [], ['sda', 'sdb']],
    ['a disk and not an unknown device stacked on it', { sda: 5, odd0: 5 }, ['odd0'], ['sda']],
    ['an NVMe disk and not its paths', { nvme0n1: 9, nvme0c0n1: 5, nvme0c1n1: 4 }, [], ['nvme0n1']],
    [
      'the paths of an NVMe disk for which the kernel has no counters',
      { nvme0n1: 0, nvme0c0n1: 5, nvme0c1n1: 4, nvme1n1: 3 },
      [],
      ['nvme0n1', 'nvme0c0n1', 'nvme0c1n1', 'nvme1n1'],
    ],
  ])('is counted for %s', (_, bytes, stacked, wanted) => {
    const devices = new Map(
      Object.entries(bytes).map(([name, received]) => [name, { received, sent: 0 }] as const),
    );
    expect(
      wholeDisks(
        devices,
        (name) => name !== 'vda1',
        (name) => stacked.includes(name),
      ),
    ).toEqual(wanted);
  });
});

test('disk_percent is the percentage that df prints, of blocks that users other than root may use', () => {
  expect(usedPercent({ blocks: 100, bfree: 30, bavail: 10 })).toBe(87.5);
  expect(usedPercent({ blocks: 0, bfree: 0, bavail: 0 })).toBeUndefined();
});
