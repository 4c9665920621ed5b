import { basename } from 'node:path';
import { z } from 'zod';
import type { FoundPart, HostCollector } from '../../collectors/collector.ts';
import { refreshed } from '../../collectors/refreshed.ts';
import type { RunCommand } from '../../collectors/run-command.ts';

const REFRESH_MS = 30 * 60_000;
const MAX_DEVICES = 64;

const scanSchema = z.object({
  devices: z.array(z.object({ name: z.string(), type: z.string() })).default([]),
});
const reportSchema = z.object({
  model_name: z.string().optional(),
  serial_number: z.string().optional(),
  smart_status: z.object({ passed: z.boolean() }).optional(),
  temperature: z.object({ current: z.number() }).optional(),
  power_on_time: z.object({ hours: z.number() }).optional(),
  ata_smart_attributes: z
    .object({ table: z.array(z.object({ id: z.number(), raw: z.object({ value: z.number() }) })) })
    .optional(),
  nvme_smart_health_information_log: z
    .object({
      critical_warning: z.number().optional(),
      available_spare: z.number().optional(),
      percentage_used: z.number().optional(),
      media_errors: z.number().optional(),
    })
    .optional(),
});
type Report = z.infer<typeof reportSchema>;

/** The attributes of ATA disks that say that a disk begins to fail, by number. */
const ATTRIBUTES: Readonly<Record<number, string>> = {
  5: 'reallocated_sectors',
  197: 'pending_sectors',
  198: 'uncorrectable_sectors',
  199: 'crc_errors',
};

/**
 * Reads the health that disks report of themselves from smartctl, every half hour. Left out without smartctl or without the
 * permission to open disks. A disk that sleeps is not woken, and keeps the values of before.
 */
export function createSmartCollector({ run }: { run: RunCommand }): HostCollector {
  const known = new Map<string, FoundPart>();
  const read = refreshed(REFRESH_MS, async () => {
    const scan = await run('smartctl', ['--json=c', '--scan']);
    // Before version 7 the program has no JSON, and refuses the option.
    const { devices } = scan?.code === 0 ? parse(scanSchema, scan.stdout) : { devices: [] };
    const found: FoundPart[] = [];
    for (const { name, type } of devices.slice(0, MAX_DEVICES)) {
      const args = [
        '--json=c',
        '--nocheck=standby',
        '--info',
        '--health',
        '--attributes',
        '--device',
        type,
        name,
      ];
      const answer = await run('smartctl', args);
      const identity = type.includes(',') ? `${basename(name)} ${type}` : basename(name);
      const part = (answer && toPart(identity, parse(reportSchema, answer.stdout))) ?? known.get(identity);
      if (part !== undefined) found.push(part);
    }
    known.clear();
    for (const part of found) known.set(part.name, part);
    return found;
  });
  return { name: 'smart', read: (at) => ({ parts: read(at) ?? [] }) };
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  return schema.parse(JSON.parse(text));
}

/** The part of a report; undefined if the disk could not be opened or sleeps. */
function toPart(name: string, report: Report): FoundPart | undefined {
  const { smart_status: status, nvme_smart_health_information_log: nvme } = report;
  const values: Record<string, number | undefined> = {
    healthy: status === undefined ? undefined : Number(status.passed),
    temperature_celsius: report.temperature?.current,
    power_on_hours: report.power_on_time?.hours,
    critical_warning: nvme?.critical_warning,
    available_spare_percent: nvme?.available_spare,
    wear_percent: nvme?.percentage_used,
    media_errors: nvme?.media_errors,
  };
  for (const { id, raw } of report.ata_smart_attributes?.table ?? []) {
    const metric = ATTRIBUTES[id];
    if (metric !== undefined) values[metric] = raw.value;
  }
  const metrics: Record<string, number> = {};
  for (const [metric, value] of Object.entries(values)) if (value !== undefined) metrics[metric] = value;
  if (Object.keys(metrics).length === 0) return undefined;
  const { model_name: model = '', serial_number: serial = '' } = report;
  return { kind: 'smart', name, labels: { model, serial }, metrics };
}
