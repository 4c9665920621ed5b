import { alertSchema } from '@tidewatch/contracts/alerts/alert';
import { fieldsQuery } from '@tidewatch/contracts/queries/fields';
import { serviceSchema } from '@tidewatch/contracts/services/service';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { columnsOf, csvHeader, csvLines } from './csv.ts';

const SHAPE = {
  name: z.string(),
  value: z.number(),
  by: z.object({ id: z.string() }).nullable(),
  list: z.array(z.string()),
};
const COLUMNS = columnsOf(SHAPE, undefined);
const line = (row: object) => csvLines([{ name: '', value: null, by: null, list: [], ...row }], COLUMNS);

test('CSV has a column for each field, and for each member of a field with members', () => {
  expect(csvHeader(COLUMNS)).toBe('name,value,by.id,list\r\n');
  const names = columnsOf(alertSchema.shape, undefined).map(({ name }) => name);
  expect(names.slice(0, 9)).toEqual([
    ...['id', 'rule_id', 'rule_name', 'rule_version', 'service_id', 'host'],
    ...['subject.kind', 'subject.name', 'status'],
  ]);
  expect(names).toContain('acknowledged_by.key_id');
});

test('CSV has the columns of the requested fields', () => {
  const query = z.object({ fields: fieldsQuery(serviceSchema.shape) });
  const { fields } = query.parse({ fields: 'tags.region,name,metrics' });
  const columns = columnsOf(serviceSchema.shape, fields);
  expect(columns.map(({ name }) => name)).toEqual([
    ...['tags.region', 'name', 'metrics.cpu_percent', 'metrics.memory_percent', 'metrics.disk_percent'],
  ]);
  const row = {
    tags: { region: 'eu' },
    name: 'a',
    metrics: { cpu_percent: 1, memory_percent: null, disk_percent: 2 },
  };
  expect(csvLines([row], columns)).toBe('eu,a,1,,2\r\n');
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['=a,"b"', `"'=a,""b"""`],
  ['two\nlines', '"two\nlines"'],
  ['a=1', 'a=1'],
])('the text %j is the cell %j', (name, cell) => {
  expect(line({ name })).toBe(`${cell},,,[]\r\n`);
});

test('CSV spells numbers, members and lists', () => {
  expect(line({ value: -1.5, by: { id: 'k' }, list: ['=x', '1'] })).toBe(',-1.5,k,"[""=x"",""1""]"\r\n');
});
