import { join } from 'node:path';
import type { FoundPart, HostCollector } from '../../collectors/collector.ts';
import { refreshed } from '../../collectors/refreshed.ts';
import type { RunCommand } from '../../collectors/run-command.ts';
import { tryNames, tryNumber, tryText } from '../files.ts';

const REFRESH_MS = 30_000;
const MEBIBYTE = 1_048_576;
const AMD = '0x1002';

/** What is asked of nvidia-smi, after index, name and UUID, with the metric and what one unit of the answer is in its unit. */
const FIELDS = [
  ['utilization.gpu', 'utilization_percent', 1],
  ['utilization.memory', 'memory_utilization_percent', 1],
  ['memory.used', 'memory_used_bytes', MEBIBYTE],
  ['memory.total', 'memory_total_bytes', MEBIBYTE],
  ['temperature.gpu', 'temperature_celsius', 1],
  ['power.draw', 'power_watts', 1],
  ['fan.speed', 'fan_percent', 1],
  ['ecc.errors.uncorrected.volatile.total', 'ecc_error_count', 1],
] as const;
const QUERY = ['index', 'name', 'uuid', ...FIELDS.map(([field]) => field)].join(',');

/** Reads graphics processors: those of NVIDIA every 30 seconds from nvidia-smi, those of AMD from /sys. */
export function createGpuCollector({ sysRoot, run }: { sysRoot: string; run: RunCommand }): HostCollector {
  const readNvidia = refreshed(REFRESH_MS, async () => {
    const answer = await run('nvidia-smi', [`--query-gpu=${QUERY}`, '--format=csv,noheader,nounits']);
    // Without a driver that runs, the command fails on every machine that has it installed.
    return answer?.code === 0 ? answer.stdout.split('\n').flatMap(parseNvidia) : [];
  });
  return {
    name: 'gpus',
    read: (at) => ({ parts: [...(readNvidia(at) ?? []), ...readAmd(join(sysRoot, 'class/drm'))] }),
  };
}

function parseNvidia(line: string): FoundPart[] {
  const [index = '', model = '', uuid = '', ...values] = line.split(',').map((text) => text.trim());
  if (!/^\d+$/.test(index)) return [];
  const metrics: Record<string, number> = {};
  for (const [place, [, metric, factor]] of FIELDS.entries()) {
    // A card says "[N/A]" for what it does not know.
    const value = Number.parseFloat(values[place] ?? '');
    if (Number.isFinite(value)) metrics[metric] = value * factor;
  }
  setMemoryPercent(metrics);
  return [{ kind: 'gpu', name: `nvidia${index}`, labels: { model, uuid }, metrics }];
}

function readAmd(cards: string): FoundPart[] {
  return tryNames(cards)
    .filter((name) => /^card\d+$/.test(name) && tryText(cards, name, 'device/vendor').trim() === AMD)
    .flatMap((name) => {
      const of = (file: string) => tryNumber(cards, name, 'device', file);
      const values = {
        utilization_percent: of('gpu_busy_percent'),
        memory_utilization_percent: of('mem_busy_percent'),
        memory_used_bytes: of('mem_info_vram_used'),
        memory_total_bytes: of('mem_info_vram_total'),
      };
      const metrics: Record<string, number> = {};
      for (const [metric, value] of Object.entries(values)) if (value !== undefined) metrics[metric] = value;
      setMemoryPercent(metrics);
      const model = tryText(cards, name, 'device/product_name').trim();
      return Object.keys(metrics).length > 0 ? [{ kind: 'gpu', name, labels: { model }, metrics }] : [];
    });
}

function setMemoryPercent(metrics: Record<string, number>): void {
  const { memory_used_bytes: used, memory_total_bytes: total } = metrics;
  if (used !== undefined && total) metrics.memory_percent = (used / total) * 100;
}
