import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FileTree, openFileTree } from '../../testing/file-tree.harness.ts';
import { createControlGroupCollector } from './control-group.ts';
import { createKernelLimitCollector } from './kernel-limits.ts';
import { createMemoryCollector } from './memory.ts';
import { createPressureCollector } from './pressure.ts';
import { createProcessorCollector } from './processor.ts';
import { createRaidCollector } from './raids.ts';
import { createRebootCollector } from './reboot.ts';
import { createSocketCollector } from './sockets.ts';

let tree: FileTree;
beforeEach(() => {
  tree = openFileTree();
});
afterEach(() => tree.remove());

test('processors have their number, what runs and waits, and rates of switches and new processes', async () => {
  const collector = createProcessorCollector(tree);
  const stat = (ctxt: number, created: number) =>
    `cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2 3 4\ncpu1 1 2 3 4\nctxt ${ctxt}\nprocesses ${created}\nprocs_running 3\nprocs_blocked 1\n`;
  tree.write({ 'proc/stat': stat(1_000, 50) });
  const gauges = { cpu_count: 2, processes_running: 3, processes_blocked: 1 };
  expect((await collector.read(0)).metrics).toEqual(gauges);
  tree.write({ 'proc/stat': stat(3_000, 70) });
  expect((await collector.read(10_000)).metrics).toEqual({
    ...gauges,
    context_switches_per_second: 200,
    processes_created_per_second: 2,
  });
});

test('memory has rates of swapping in bytes, of major faults, and the number of kills', async () => {
  const collector = createMemoryCollector({ procRoot: tree.procRoot, pageBytes: 4096 });
  const vmstat = (count: number) =>
    `pswpin ${count}\npswpout ${2 * count}\npgmajfault ${count}\noom_kill 4\n`;
  tree.write({ 'proc/vmstat': vmstat(100) });
  expect((await collector.read(0)).metrics).toEqual({ oom_kill_count: 4 });
  tree.write({ 'proc/vmstat': vmstat(200) });
  expect((await collector.read(10_000)).metrics).toEqual({
    swap_in_bytes_per_second: 10 * 4096,
    swap_out_bytes_per_second: 20 * 4096,
    memory_major_faults_per_second: 10,
    oom_kill_count: 4,
  });
});

test('pressure is the share of the time between two readings, and nothing where the kernel does not measure it', async () => {
  const collector = createPressureCollector(tree);
  expect((await collector.read(0)).metrics).toEqual({});
  const pressure = (some: number, full: number) =>
    `some avg10=0.00 avg60=0.00 avg300=0.00 total=${some}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=${full}\n`;
  const write = (some: number, full: number) =>
    tree.write({
      'proc/pressure/cpu': pressure(some, full),
      'proc/pressure/memory': pressure(2 * some, full),
      'proc/pressure/io': pressure(3 * some, 99 * some),
    });
  write(0, 0);
  await collector.read(10_000);
  write(1_000_000, 500_000);
  expect((await collector.read(20_000)).metrics).toEqual({
    cpu_pressure_some_percent: 10,
    memory_pressure_some_percent: 20,
    memory_pressure_full_percent: 5,
    io_pressure_some_percent: 30,
    io_pressure_full_percent: 100,
  });
});

test('open files, threads and connections are percentages of what the kernel allows, where it has a limit', async () => {
  tree.write({
    'proc/sys/fs/file-nr': '500\t0\t1000\n',
    'proc/loadavg': '0 0 0 1/300 9\n',
    'proc/sys/kernel/pid_max': '4194304\n',
    'proc/sys/kernel/threads-max': '1200\n',
    'proc/sys/net/netfilter/nf_conntrack_count': '90\n',
    'proc/sys/net/netfilter/nf_conntrack_max': '100\n',
  });
  const collector = createKernelLimitCollector(tree);
  expect((await collector.read(0)).metrics).toEqual({
    file_handles: 500,
    file_handles_percent: 50,
    threads_percent: 25,
    conntrack_entries: 90,
    conntrack_percent: 90,
  });
  tree.write({ 'proc/sys/fs/file-nr': '500\t0\t9223372036854775807\n' });
  expect((await collector.read(0)).metrics).not.toHaveProperty('file_handles_percent');
});

describe('sockets', () => {
  const entry = (index: number, state: string) =>
    `   ${index}: 0100007F:1F90 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 12345 1\n`;
  const write = (retransmits: number, inUse: number) =>
    tree.write({
      'proc/net/snmp': `Ip: Forwarding\nIp: 1\nTcp: CurrEstab RetransSegs EstabResets\nTcp: 7 ${retransmits} 0\nUdp: RcvbufErrors\nUdp: 0\n`,
      'proc/net/netstat': `TcpExt: SyncookiesSent ListenOverflows\nTcpExt: 0 ${retransmits}\n`,
      'proc/net/sockstat': `sockets: used 9\nTCP: inuse ${inUse} orphan 2 tw 6 alloc 9 mem 1\n`,
      'proc/net/sockstat6': 'TCP6: inuse 1\n',
      'proc/net/tcp': ['01', '01', '08', '0C', '0A', '04', '05', '07', '09']
        .map((state, index) => entry(index, state))
        .join(''),
      'proc/net/tcp6': entry(0, '0A'),
    });

  test('have connections by state, and rates of what goes wrong', async () => {
    const collector = createSocketCollector(tree);
    write(100, 5);
    await collector.read(0);
    write(150, 5);
    tree.write({ 'proc/net/tcp6': '' });
    expect((await collector.read(10_000)).metrics).toMatchObject({
      tcp_established: 7,
      tcp_close_wait: 1,
      tcp_syn_recv: 1,
      tcp_listen: 2,
      tcp_fin_wait: 2,
      tcp_closing: 1,
      tcp_time_wait: 6,
      tcp_orphans: 2,
      tcp_retransmits_per_second: 5,
      tcp_resets_per_second: 0,
      tcp_listen_overflows_per_second: 5,
      udp_receive_buffer_errors_per_second: 0,
    });
  });

  test('are counted by state every 30 seconds', async () => {
    const collector = createSocketCollector(tree);
    write(0, 5);
    const listening = async (at: number) => (await collector.read(at)).metrics?.tcp_listen;
    expect(await listening(0)).toBe(2);
    tree.write({ 'proc/net/tcp6': '' });
    expect(await listening(29_999)).toBe(2);
    expect(await listening(30_000)).toBe(1);
  });

  test('are not counted one by one where there are more than 5,000', async () => {
    write(0, 6_000);
    expect((await createSocketCollector(tree).read(0)).metrics).toEqual({
      tcp_established: 7,
      tcp_time_wait: 6,
      tcp_orphans: 2,
    });
  });
});

describe('the control group of a container', () => {
  test('has use as a percentage of its limits, in version 2', async () => {
    const collector = createControlGroupCollector(tree);
    const write = (usage: number, periods: number, throttled: number) =>
      tree.write({
        'sys/fs/cgroup/cgroup.controllers': 'cpu memory pids\n',
        'sys/fs/cgroup/memory.max': '1000\n',
        'sys/fs/cgroup/memory.current': '700\n',
        'sys/fs/cgroup/memory.stat': 'anon 1\ninactive_file 200\n',
        'sys/fs/cgroup/memory.events': 'oom 1\noom_kill 2\n',
        'sys/fs/cgroup/cpu.max': '200000 100000\n',
        'sys/fs/cgroup/cpu.stat': `usage_usec ${usage}\nnr_periods ${periods}\nnr_throttled ${throttled}\n`,
        'sys/fs/cgroup/pids.max': 'max\n',
        'sys/fs/cgroup/pids.current': '5\n',
      });
    write(0, 0, 0);
    await collector.read(0);
    write(5_000_000, 100, 25);
    expect((await collector.read(10_000)).metrics).toEqual({
      cgroup_memory_limit_bytes: 1000,
      cgroup_memory_used_bytes: 500,
      cgroup_memory_percent: 50,
      cgroup_oom_kill_count: 2,
      cgroup_cpu_limit: 2,
      cgroup_cpu_percent: 25,
      cgroup_cpu_throttled_percent: 25,
    });
  });

  test('has use as a percentage of its limits, in version 1', async () => {
    tree.write({
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '1000\n',
      'sys/fs/cgroup/memory/memory.usage_in_bytes': '300\n',
      'sys/fs/cgroup/memory/memory.stat': 'inactive_file 5\ntotal_inactive_file 100\n',
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
      'sys/fs/cgroup/pids/pids.max': '50\n',
      'sys/fs/cgroup/pids/pids.current': '5\n',
    });
    expect((await createControlGroupCollector(tree).read(0)).metrics).toEqual({
      cgroup_memory_limit_bytes: 1000,
      cgroup_memory_used_bytes: 200,
      cgroup_memory_percent: 20,
      cgroup_tasks_percent: 10,
    });
  });

  test('reports nothing of a machine, whose groups have no limits', async () => {
    tree.write({
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      'sys/fs/cgroup/memory/memory.usage_in_bytes': '300\n',
    });
    expect((await createControlGroupCollector(tree).read(0)).metrics).toEqual({});
  });
});

test.each<[string, Record<string, string>, number | undefined]>([
  ['is required where Debian or Ubuntu say so', { 'run/reboot-required': '' }, 1],
  ['is required where SUSE says so', { 'run/reboot-needed': '' }, 1],
  [
    'is not required on a distribution that would say so',
    { 'etc/os-release': 'NAME="Pop!_OS"\nID=pop\nID_LIKE="ubuntu debian"\n' },
    0,
  ],
  ['is required after the modules of the kernel were removed', { 'lib/modules/6.2/x': '' }, 1],
  ['is not required while the modules of the kernel are there', { 'lib/modules/6.1/x': '' }, 0],
  ['is unknown in a container', { '.dockerenv': '', 'etc/os-release': 'ID=debian\n' }, undefined],
  ['is unknown elsewhere', { 'etc/os-release': 'ID=alpine\n' }, undefined],
])('a restart %s', async (_, files, wanted) => {
  tree.write({ 'proc/sys/kernel/osrelease': '6.1\n', ...files });
  const { metrics = {} } = await createRebootCollector(tree).read(0);
  expect(metrics.reboot_required).toBe(wanted);
});

test('an array of software RAID has its missing members, and whether it is rebuilt', async () => {
  tree.write({
    'sys/block/md0/md/array_state': 'clean\n',
    'sys/block/md0/md/level': 'raid1\n',
    'sys/block/md0/md/raid_disks': '2\n',
    'sys/block/md0/md/degraded': '1\n',
    'sys/block/md0/md/sync_action': 'recover\n',
    'sys/block/sda/size': '1\n',
  });
  expect((await createRaidCollector(tree).read(0)).parts).toEqual([
    {
      kind: 'raid',
      name: 'md0',
      labels: { level: 'raid1' },
      metrics: { active: 1, syncing: 1, members: 2, missing_members: 1 },
    },
  ]);
});
