import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileTree, openFileTree } from '../../testing/file-tree.harness.ts';
import { createSensorCollector } from './sensors.ts';

let tree: FileTree;
beforeEach(() => {
  tree = openFileTree();
});
afterEach(() => tree.remove());

function addChip(number: number, device: string | null, files: Record<string, string>): void {
  const folder = `sys/class/hwmon/hwmon${number}`;
  tree.write(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, `${text}\n`])),
  );
  if (device !== null) tree.link({ [`${folder}/device`]: `../../../${device}` });
}

test('reports each temperature and fan with a name of its own, its limit and its alarm', async () => {
  addChip(0, 'coretemp.0', {
    name: 'coretemp',
    temp1_input: '45000',
    temp1_label: 'Package id 0',
    temp1_max: '80000',
    temp1_crit: '100000',
    temp1_crit_alarm: '0',
  });
  addChip(1, 'nvme0', {
    name: 'nvme',
    temp1_input: '38850',
    temp1_label: 'Composite',
    temp1_crit: '65261850',
  });
  addChip(2, '0-0290', {
    name: 'nct6775',
    fan2_input: '0',
    fan2_alarm: '1',
    temp1_input: '30000',
    temp1_label: 'AUX',
    temp2_input: '31000',
    temp2_label: 'AUX',
    temp9_input: '-61000',
  });
  addChip(3, null, { name: 'acpitz', temp1_input: '27800' });
  const { parts = [] } = await createSensorCollector(tree).read(0);
  expect(parts.map(({ kind, name, metrics }) => [kind, name, metrics])).toEqual([
    [
      'sensor',
      'coretemp.0 Package id 0',
      {
        temperature_celsius: 45,
        temperature_limit_celsius: 100,
        temperature_headroom_celsius: 55,
        alarm: 0,
      },
    ],
    ['sensor', 'nvme0 Composite', { temperature_celsius: 38.85 }],
    ['sensor', 'nct6775 0-0290 fan2', { fan_rpm: 0, alarm: 1 }],
    ['sensor', 'nct6775 0-0290 AUX temp1', { temperature_celsius: 30 }],
    ['sensor', 'nct6775 0-0290 AUX temp2', { temperature_celsius: 31 }],
    ['sensor', 'acpitz temp1', { temperature_celsius: 27.8 }],
  ]);
});

test('reports thermal zones with their critical temperature on a machine whose chips have no temperatures', async () => {
  tree.write({
    'sys/class/thermal/thermal_zone0/type': 'cpu-thermal\n',
    'sys/class/thermal/thermal_zone0/temp': '51000\n',
    'sys/class/thermal/thermal_zone0/trip_point_0_type': 'passive\n',
    'sys/class/thermal/thermal_zone0/trip_point_0_temp': '80000\n',
    'sys/class/thermal/thermal_zone0/trip_point_1_type': 'critical\n',
    'sys/class/thermal/thermal_zone0/trip_point_1_temp': '90000\n',
    'sys/class/thermal/cooling_device0/type': 'Fan\n',
  });
  expect((await createSensorCollector(tree).read(0)).parts).toEqual([
    {
      kind: 'sensor',
      name: 'cpu-thermal thermal_zone0',
      labels: { chip: 'cpu-thermal' },
      metrics: { temperature_celsius: 51, temperature_limit_celsius: 90, temperature_headroom_celsius: 39 },
    },
  ]);
});

test('reports no sensors on a machine without any', async () => {
  expect(await createSensorCollector(tree).read(0)).toEqual({ parts: [] });
});
