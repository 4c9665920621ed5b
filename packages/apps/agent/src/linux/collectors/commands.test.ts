import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HostCollector } from '../../collectors/collector.ts';
import type { CommandResult, RunCommand } from '../../collectors/run-command.ts';
import { type FileTree, openFileTree } from '../../testing/file-tree.harness.ts';
import { createClockCollector } from './clock.ts';
import { createGpuCollector } from './gpus.ts';
import { createSmartCollector } from './smart.ts';

let tree: FileTree;
beforeEach(() => {
  tree = openFileTree();
});
afterEach(() => tree.remove());

/** Answers as recorded commands do, by the beginning of their line; a command that is not recorded is not installed. */
function recorded(answers: Record<string, string | CommandResult>): RunCommand & { calls: string[] } {
  const calls: string[] = [];
  const run: RunCommand = async (file, args) => {
    const line = [file, ...args].join(' ');
    calls.push(line);
    const [, answer] = Object.entries(answers).find(([start]) => line.startsWith(start)) ?? [];
    return typeof answer === 'string' ? { code: 0, stdout: answer } : answer;
  };
  return Object.assign(run, { calls });
}

/** What a collector finds once its commands have ended. */
async function settled(collector: HostCollector, at = 0) {
  await collector.read(at);
  await new Promise((resolve) => setTimeout(resolve, 10));
  return collector.read(at);
}

describe('the clock', () => {
  const chrony = (behind: string, leap: string) =>
    `A9FEA97B,169.254.169.123,4,1732777778.1,${behind},-0.000001,0.000012,-16.4,-0.001,0.02,0.0004,0.0002,16.1,${leap}\n`;

  test.each<[string, Record<string, string | CommandResult>, Record<string, number>]>([
    [
      'has its offset from chrony, which says how far it is behind',
      { chronyc: chrony('0.250', 'Normal'), timedatectl: 'yes\n' },
      { clock_synchronized: 1, clock_offset_ms: -250 },
    ],
    [
      'is not synchronized where chrony has no source',
      { chronyc: chrony('0.000', 'Not synchronised') },
      { clock_synchronized: 0 },
    ],
    [
      'has its offset from systemd where chrony does not run',
      {
        chronyc: { code: 1, stdout: '506 Cannot talk to daemon\n' },
        'timedatectl show': 'yes\n',
        'timedatectl timesync-status':
          '       Server: 10.0.0.1\n       Offset: +1min 2.5s\n        Delay: 1ms\n',
      },
      { clock_synchronized: 1, clock_offset_ms: -62_500 },
    ],
    [
      'has no offset where another program sets it',
      { 'timedatectl show': 'yes\n', 'timedatectl timesync-status': { code: 1, stdout: '' } },
      { clock_synchronized: 1 },
    ],
    ['is not synchronized where systemd says so', { 'timedatectl show': 'no\n' }, { clock_synchronized: 0 }],
    ['is left out where nothing answers', { timedatectl: { code: 1, stdout: '' } }, {}],
  ])('%s', async (_, answers, wanted) => {
    expect((await settled(createClockCollector({ run: recorded(answers) }))).metrics).toEqual(wanted);
  });

  test('is asked for once a minute', async () => {
    const run = recorded({ chronyc: chrony('0', 'Normal') });
    const collector = createClockCollector({ run });
    for (const at of [0, 10_000, 59_999, 60_000]) await settled(collector, at);
    expect(run.calls).toHaveLength(2);
  });
});

describe('graphics processors', () => {
  test('of NVIDIA are read from nvidia-smi, without what a card does not know', async () => {
    const run = recorded({
      'nvidia-smi --query-gpu=index,name,uuid,utilization.gpu':
        '0, NVIDIA A100, GPU-1, 55, 40, 1024, 4096, 61, 250.5, [N/A], 0\nFailed to initialize\n',
    });
    expect((await settled(createGpuCollector({ ...tree, run }))).parts).toEqual([
      {
        kind: 'gpu',
        name: 'nvidia0',
        labels: { model: 'NVIDIA A100', uuid: 'GPU-1' },
        metrics: {
          utilization_percent: 55,
          memory_utilization_percent: 40,
          memory_used_bytes: 1024 * 1_048_576,
          memory_total_bytes: 4096 * 1_048_576,
          memory_percent: 25,
          temperature_celsius: 61,
          power_watts: 250.5,
          ecc_error_count: 0,
        },
      },
    ]);
  });

  test('of AMD are read from /sys, and those of others are not', async () => {
    tree.write({
      'sys/class/drm/card0/device/vendor': '0x1002\n',
      'sys/class/drm/card0/device/gpu_busy_percent': '7\n',
      'sys/class/drm/card0/device/mem_info_vram_used': '50\n',
      'sys/class/drm/card0/device/mem_info_vram_total': '200\n',
      'sys/class/drm/card0-DP-1/device/vendor': '0x1002\n',
      'sys/class/drm/card1/device/vendor': '0x8086\n',
    });
    expect((await settled(createGpuCollector({ ...tree, run: recorded({}) }))).parts).toEqual([
      {
        kind: 'gpu',
        name: 'card0',
        labels: { model: '' },
        metrics: {
          utilization_percent: 7,
          memory_used_bytes: 50,
          memory_total_bytes: 200,
          memory_percent: 25,
        },
      },
    ]);
  });

  test('fail in no way where nvidia-smi is installed and finds no driver', async () => {
    const run = recorded({ 'nvidia-smi': { code: 9, stdout: 'NVIDIA-SMI has failed\n' } });
    expect(await settled(createGpuCollector({ ...tree, run }))).toEqual({ parts: [] });
  });
});

describe('the health of disks', () => {
  const scan = JSON.stringify({
    devices: [
      { name: '/dev/sda', type: 'sat' },
      { name: '/dev/nvme0', type: 'nvme' },
      { name: '/dev/bus/0', type: 'megaraid,3' },
    ],
  });
  const ata = {
    model_name: 'HDD 4T',
    serial_number: 'S1',
    smart_status: { passed: false },
    temperature: { current: 41 },
    power_on_time: { hours: 9000 },
    ata_smart_attributes: {
      table: [
        { id: 5, raw: { value: 8 } },
        { id: 9, raw: { value: 9000 } },
        { id: 197, raw: { value: 2 } },
      ],
    },
  };
  const nvme = {
    model_name: 'SSD',
    smart_status: { passed: true },
    nvme_smart_health_information_log: {
      critical_warning: 0,
      available_spare: 98,
      percentage_used: 3,
      media_errors: 0,
    },
  };
  const answer = (report: object, code = 0) => ({ code, stdout: JSON.stringify(report) });
  const device = (name: string) =>
    `smartctl --json=c --nocheck=standby --info --health --attributes --device ${name}`;

  test('is read from smartctl, also of disks behind a controller and of failing ones', async () => {
    const run = recorded({
      'smartctl --json=c --scan': scan,
      [device('sat')]: answer(ata, 8),
      [device('nvme')]: answer(nvme),
      [device('megaraid,3')]: answer({ model_name: 'SAS', smart_status: { passed: true } }),
    });
    expect((await settled(createSmartCollector({ run }))).parts).toEqual([
      {
        kind: 'smart',
        name: 'sda',
        labels: { model: 'HDD 4T', serial: 'S1' },
        metrics: {
          healthy: 0,
          temperature_celsius: 41,
          power_on_hours: 9000,
          reallocated_sectors: 8,
          pending_sectors: 2,
        },
      },
      {
        kind: 'smart',
        name: 'nvme0',
        labels: { model: 'SSD', serial: '' },
        metrics: {
          healthy: 1,
          critical_warning: 0,
          available_spare_percent: 98,
          wear_percent: 3,
          media_errors: 0,
        },
      },
      { kind: 'smart', name: '0 megaraid,3', labels: { model: 'SAS', serial: '' }, metrics: { healthy: 1 } },
    ]);
  });

  test('of a disk that sleeps is that of before, and a disk that may not be opened has none', async () => {
    const answers: Record<string, string | CommandResult> = {
      'smartctl --json=c --scan': scan,
      [device('sat')]: answer(ata),
      [device('nvme')]: answer({ smartctl: { messages: [{ string: 'Permission denied' }] } }, 2),
      [device('megaraid')]: answer({}, 2),
    };
    const collector = createSmartCollector({ run: recorded(answers) });
    const names = async (at: number) => (await settled(collector, at)).parts?.map(({ name }) => name);
    expect(await names(0)).toEqual(['sda']);
    answers[device('sat')] = answer({ device: { name: '/dev/sda' } }, 2);
    expect(await names(1_800_000)).toEqual(['sda']);
    answers['smartctl --json=c --scan'] = { code: 1, stdout: 'unrecognized option' };
    expect(await names(3_600_000)).toEqual([]);
  });
});
