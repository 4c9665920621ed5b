import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { REPORT_VARIABLE, readPartReport, recordPart } from './report.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidewatch-parts-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('readPartReport returns each reported part once, even if several projects opened it', () => {
  const file = join(folder, 'parts.ndjson');
  writeFileSync(file, '');
  vi.stubEnv(REPORT_VARIABLE, file);
  const kafka = { name: 'Kafka', state: 'started', detail: 'Kafka 4' } as const;
  const redis = { name: 'Redis', state: 'lacked', detail: 'native: not on PATH' } as const;
  for (const part of [kafka, redis, kafka]) recordPart(part);
  expect(readPartReport(file)).toEqual([kafka, redis]);
});
