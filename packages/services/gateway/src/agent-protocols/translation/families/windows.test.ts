import { expect, it } from 'vitest';
import { openTranslator, type Point } from '../../../testing/translator.harness.ts';

const WINDOWS = { instance: 'win-01:9182', job: 'windows' };
const BOOTED = Date.parse('2026-11-28T11:00:00Z') / 1_000;

/** What windows_exporter says after some seconds, by the names of memory and boot of a version. */
function exporter(seconds: number, total: string, boot: string): Point[] {
  const cores = [0, 1].flatMap((core): Point[] => [
    ['windows_cpu_time_total', { ...WINDOWS, core: `0,${core}`, mode: 'idle' }, seconds * 0.7],
    ['windows_cpu_time_total', { ...WINDOWS, core: `0,${core}`, mode: 'user' }, seconds * 0.2],
    ['windows_cpu_time_total', { ...WINDOWS, core: `0,${core}`, mode: 'privileged' }, seconds * 0.1],
    ['windows_cpu_time_total', { ...WINDOWS, core: `0,${core}`, mode: 'interrupt' }, seconds * 0.05],
    ['windows_cpu_time_total', { ...WINDOWS, core: `0,${core}`, mode: 'dpc' }, seconds * 0.04],
  ]);
  const disk = (volume: string, free: number): Point[] => [
    ['windows_logical_disk_free_bytes', { ...WINDOWS, volume }, free],
    ['windows_logical_disk_size_bytes', { ...WINDOWS, volume }, 100],
  ];
  return [
    ...cores,
    ['windows_memory_available_bytes', WINDOWS, 6],
    [total, WINDOWS, 8],
    ...disk('C:', 60),
    ...disk('D:', 10),
    ...disk('HarddiskVolume1', 1),
    ['windows_physical_disk_read_bytes_total', { ...WINDOWS, disk: '0' }, seconds * 30],
    ['windows_physical_disk_write_bytes_total', { ...WINDOWS, disk: '1' }, seconds * 40],
    ['windows_net_bytes_received_total', { ...WINDOWS, nic: 'Intel[R] Ethernet' }, seconds * 500],
    ['windows_net_bytes_sent_total', { ...WINDOWS, nic: 'Intel[R] Ethernet' }, seconds * 300],
    ['windows_net_bytes_sent_total', { ...WINDOWS, nic: 'isatap.{1}' }, seconds * 9_999],
    [boot, WINDOWS, BOOTED],
    ['windows_exporter_build_info', { ...WINDOWS, version: '0.30' }, 1],
  ];
}

const EXPECTED = {
  cpu_percent: 30,
  memory_percent: 25,
  disk_percent: 40,
  disk_fullest_percent: 90,
  network_receive_bytes_per_second: 500,
  network_transmit_bytes_per_second: 300,
};

it.each([
  ['of today', 'windows_memory_physical_total_bytes', 'windows_system_boot_time_timestamp_seconds'],
  ['before 0.30', 'windows_cs_physical_memory_bytes', 'windows_system_system_up_time'],
])('windows_exporter %s gives the metrics of our agent', (_, total, boot) => {
  const { values } = openTranslator();
  values(exporter(0, total, boot), 0);
  const given = values(exporter(10, total, boot), 10);
  expect(given).toMatchObject({
    ...EXPECTED,
    uptime_seconds: 3_610,
    disk_read_bytes_per_second: 30,
    disk_write_bytes_per_second: 40,
    'filesystem:D: used_percent': 90,
  });
  expect(given).not.toHaveProperty('filesystem:HarddiskVolume1 used_percent');
});

it('hostmetrics of the Collector on Windows gives the metrics of our agent', () => {
  const points = (seconds: number): [Point[], Point[]] => {
    const file = (mountpoint: string, state: string, value: number): Point => [
      'system.filesystem.usage',
      { device: mountpoint, mountpoint, type: 'NTFS', mode: 'rw', state },
      value,
    ];
    const gauges: Point[] = [
      ['system.memory.usage', { state: 'used' }, 2],
      ['system.memory.usage', { state: 'free' }, 6],
      ['system.paging.usage', { device: 'C:\\pagefile.sys', state: 'used' }, 1],
      ['system.paging.usage', { device: 'C:\\pagefile.sys', state: 'free' }, 3],
      file('C:', 'used', 40),
      file('C:', 'free', 60),
      file('D:', 'used', 90),
      file('D:', 'free', 10),
    ];
    const io = (device: string, direction: string, rate: number): Point => [
      'system.network.io',
      { device, direction },
      seconds * rate,
    ];
    const counters: Point[] = [
      ['system.cpu.time', { cpu: 'cpu0', state: 'idle' }, seconds * 0.7],
      ['system.cpu.time', { cpu: 'cpu0', state: 'user' }, seconds * 0.2],
      ['system.cpu.time', { cpu: 'cpu0', state: 'system' }, seconds * 0.08],
      ['system.cpu.time', { cpu: 'cpu0', state: 'interrupt' }, seconds * 0.02],
      io('Ethernet', 'receive', 500),
      io('Ethernet', 'transmit', 300),
      io('Loopback Pseudo-Interface 1', 'transmit', 9_999),
    ];
    return [gauges, counters];
  };
  const resource = ['host.name', 'win-01', 'os.type', 'windows'];
  const gauges = openTranslator({}, { protocol: 'otlp', type: 'gauge', resource });
  const counters = openTranslator({}, { protocol: 'otlp', type: 'counter', resource });
  counters.values(points(0)[1], 0);
  const given = { ...gauges.values(points(10)[0], 10), ...counters.values(points(10)[1], 10) };
  expect(given).toMatchObject({ ...EXPECTED, swap_percent: 25 });
});
