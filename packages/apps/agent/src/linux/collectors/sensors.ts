import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundPart, HostCollector } from '../../collectors/collector.ts';
import { tryLink, tryNames, tryText } from '../files.ts';

/** Temperatures outside of these, in degrees Celsius, are of inputs to which nothing is connected. */
const [MIN_CELSIUS, MAX_CELSIUS] = [-50, 200];

/** Reads temperatures and fans from the chips of /sys/class/hwmon, or else from the thermal zones. */
export function createSensorCollector({ sysRoot }: { sysRoot: string }): HostCollector {
  return {
    name: 'sensors',
    async read() {
      const chips = join(sysRoot, 'class/hwmon');
      const found = await Promise.all(tryNames(chips).map((name) => readChip(join(chips, name))));
      const parts = found.flat();
      if (parts.some(({ metrics }) => 'temperature_celsius' in metrics)) return { parts };
      const zones = join(sysRoot, 'class/thermal');
      const names = tryNames(zones).filter((name) => /^thermal_zone\d+$/.test(name));
      const read = await Promise.all(names.map((name) => readZone(zones, name)));
      return { parts: [...parts, ...read.flat()] };
    },
  };
}

/** Reads a number without blocking, because some chips take milliseconds to answer. */
async function numberOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

async function readChip(folder: string): Promise<FoundPart[]> {
  const files = new Set(tryNames(folder));
  const chip = chipName(folder);
  const inputs = [...files].flatMap((file) => /^((temp|fan)\d+)_input$/.exec(file)?.[1] ?? []);
  const labels = inputs.map((input) => tryText(folder, `${input}_label`).trim() || input);
  const isUnique = (label: string) => labels.indexOf(label) === labels.lastIndexOf(label);
  const parts = await Promise.all(
    inputs.map(async (input, index): Promise<FoundPart[]> => {
      const metrics = input.startsWith('fan')
        ? await readFan(folder, input, files)
        : await readTemperature(folder, input, files);
      const label = labels[index] as string;
      const name = `${chip} ${isUnique(label) ? label : `${label} ${input}`}`;
      return metrics === undefined ? [] : [{ kind: 'sensor', name, labels: { chip }, metrics }];
    }),
  );
  return parts.flat();
}

/** The name of a chip with that of its device, because a machine may have several chips of one name. */
function chipName(folder: string): string {
  const name = tryText(folder, 'name').trim() || 'sensor';
  const device = tryLink(folder, 'device');
  if (device === null) return name;
  return device.startsWith(name) ? device : `${name} ${device}`;
}

async function readTemperature(folder: string, input: string, files: ReadonlySet<string>) {
  const celsius = await degrees(join(folder, `${input}_input`));
  if (celsius === undefined) return undefined;
  const metrics: Record<string, number> = { temperature_celsius: celsius };
  const limits = await Promise.all(
    ['crit', 'max']
      .filter((limit) => files.has(`${input}_${limit}`))
      .map((limit) => degrees(join(folder, `${input}_${limit}`))),
  );
  setLimit(
    metrics,
    limits.find((limit) => limit !== undefined && limit > 0),
  );
  await setAlarm(metrics, folder, input, files);
  return metrics;
}

async function readFan(folder: string, input: string, files: ReadonlySet<string>) {
  const rpm = await numberOf(join(folder, `${input}_input`));
  if (rpm === undefined) return undefined;
  const metrics: Record<string, number> = { fan_rpm: rpm };
  await setAlarm(metrics, folder, input, files);
  return metrics;
}

/** Adds whether the chip raises an alarm, where it can. */
async function setAlarm(
  metrics: Record<string, number>,
  folder: string,
  input: string,
  files: ReadonlySet<string>,
) {
  const alarms = ['alarm', 'crit_alarm', 'max_alarm', 'fault'].map((alarm) => `${input}_${alarm}`);
  const values = await Promise.all(
    alarms.filter((alarm) => files.has(alarm)).map((alarm) => numberOf(join(folder, alarm))),
  );
  const known = values.filter((value) => value !== undefined);
  if (known.length > 0) metrics.alarm = Math.max(...known) > 0 ? 1 : 0;
}

/** Reads thousandths of a degree. */
async function degrees(path: string): Promise<number | undefined> {
  const value = await numberOf(path);
  const celsius = value === undefined ? Number.NaN : value / 1_000;
  return celsius > MIN_CELSIUS && celsius < MAX_CELSIUS ? celsius : undefined;
}

function setLimit(metrics: Record<string, number>, limit: number | undefined): void {
  if (limit === undefined || metrics.temperature_celsius === undefined) return;
  metrics.temperature_limit_celsius = limit;
  metrics.temperature_headroom_celsius = limit - metrics.temperature_celsius;
}

async function readZone(zones: string, zone: string): Promise<FoundPart[]> {
  const folder = join(zones, zone);
  const celsius = await degrees(join(folder, 'temp'));
  if (celsius === undefined) return [];
  const metrics: Record<string, number> = { temperature_celsius: celsius };
  const critical = tryNames(folder).find(
    (file) => /^trip_point_\d+_type$/.test(file) && tryText(folder, file).trim() === 'critical',
  );
  if (critical) setLimit(metrics, await degrees(join(folder, critical.replace(/type$/, 'temp'))));
  const type = tryText(folder, 'type').trim();
  return [{ kind: 'sensor', name: `${type || 'thermal'} ${zone}`, labels: { chip: type }, metrics }];
}
