import type { LedgerReport } from '../ledger/check.ts';
import { samplesOfPayload } from '../load/plan.ts';
import type { MemoryReport, Spread } from '../measure/memory.ts';
import { sustainedRate } from '../measure/rate.ts';
import { isValid, type LoadResult } from '../scenarios/load.ts';
import type { Freshness } from '../scenarios/probe.ts';
import { loadDocument } from './load-document.ts';
import { figureTable, mebibytes, number, type Row, spread, table } from './table.ts';

const STRETCH_SECONDS = 10;
/** How late the median request may be sent, ms; beyond that the load did not keep its rate. */
const HELD_MS = 500;

/** The report of a load, whether it is valid, and its figures for JSON. */
export function loadOutcome(result: LoadResult, freshness?: Freshness) {
  return {
    text: loadTable(result, freshness),
    valid: isValid(result),
    figures: loadDocument(result, freshness),
  };
}

function loadTable(result: LoadResult, freshness: Freshness | undefined): string {
  const verdict = isValid(result)
    ? 'The recount agrees with the ledger.'
    : 'VOID: the recount differs from the ledger.';
  const faults = [
    ...result.report.examples,
    ...result.rollupDifferences.slice(0, 10),
    ...result.alerts.missing.slice(0, 5).map((line) => `alert missing: ${line}`),
    ...result.alerts.unexpected.slice(0, 5).map((line) => `alert unexpected: ${line}`),
    ...(result.company?.differences ?? []),
    ...(result.parts?.differences ?? []),
  ];
  const { lag } = result.generator.measured;
  if (lag !== null && lag.p50 > HELD_MS)
    faults.unshift('The load did not hold its plan: half of it was late, so this is no steady state.');
  const rows = [
    ...cpuRows(result),
    ...paceRows(result),
    ...storageRows(result),
    ...freshnessRows(freshness),
    ...doubtRows(result),
  ];
  return `${figureTable(rows)}\n\n${memoryTable(result.memory)}\n\n${verdict} ${ledgerLine(result.report)} ${alertLine(result)}\n${faults.join('\n')}`;
}

export function ledgerLine(report: LedgerReport): string {
  const { rowsFound, rowsExpected, missing, unexpected, doubled, altered } = report;
  return `Rows ${number(rowsFound)}, acknowledged ${number(rowsExpected)}; missing ${missing}, unexpected ${unexpected}, doubled ${doubled}, altered ${altered}.`;
}

function alertLine({ alerts, company, parts }: LoadResult): string {
  const rich =
    company === null
      ? ''
      : ` Rows of containers ${number(company.containerRows)}, snapshots ${number(company.snapshots)}.`;
  const ofParts =
    parts === null ? '' : ` Rows of parts ${number(parts.rows)} with ${number(parts.numbers)} numbers.`;
  return `Alerts expected ${alerts.expected}, missing ${alerts.missing.length}, unexpected ${alerts.unexpected.length}.${rich}${ofParts}`;
}

function cpuRows(result: LoadResult): Row[] {
  const { order, samples, cpu, yardstick, yardsticks, generator, settled } = result;
  const against = (seconds: number) => {
    const perMillion = seconds / (samples / 1e6);
    return `${number(perMillion, 2)} = ${number(perMillion / yardstick.total, 2)} × yardstick`;
  };
  const rows: Row[] = [
    [
      'samples',
      `${number(samples)} in ${number(generator.measured.payloads)} payloads, ${number(generator.measured.requests)} requests`,
    ],
    ['CPU-seconds a million samples, all settled', against(cpu.settled)],
    ['the same until the last answer', against(cpu.window)],
    ['the same by process, settled', shares(cpu.byProcess, samples)],
    [
      'yardstick',
      `${number(yardstick.total, 2)} = ${number(yardstick.parse, 2)} JSON.parse + ${number(yardstick.copy, 2)} COPY (${yardsticks.map(({ total }) => number(total, 2)).join(' before, ')} after)`,
    ],
  ];
  if (order.plan.rich)
    rows.push([
      'CPU-milliseconds a payload, all settled',
      number((cpu.settled * 1_000) / generator.measured.payloads, 3),
    ]);
  if (result.caughtUp !== null) {
    const { writer, evaluator } = result.caughtUp;
    rows.push([
      'everything applied by writer / evaluator',
      `${number(writer, 1)} / ${number(evaluator, 1)} s after the last answer`,
    ]);
  }
  rows.push([
    'nothing dirty or unpublished / vacuumed, checkpoint ended',
    `${number(settled.drainedSeconds, 1)} / ${number(settled.restedSeconds, 1)} s after the last answer`,
  ]);
  const { sealing } = settled;
  if (sealing !== null)
    rows.push([
      'sealed afterwards, counted as settled',
      `${number(sealing.samples)} samples in ${number(sealing.chunks)} chunks, ${number(sealing.closedBlocks)} days of blocks closed`,
    ]);
  rows.push(['at rest afterwards', `${number(settled.idleShare * 100, 1)} % of one processor`]);
  const { firstContact } = generator;
  if (firstContact !== null) {
    rows.push([
      'first contact, all hosts at once',
      `${number(firstContact.payloads)} hosts stored in ${number(firstContact.seconds, 1)} s with ${number(cpu.firstContact ?? 0, 1)} CPU-s, answer ${spread(firstContact.latency, 1)}`,
    ]);
  }
  return rows;
}

const SHOWN_SHARE = 0.01;

/** CPU-seconds per million samples of each kind of process that used at least a hundredth of the total. */
function shares(byProcess: readonly (readonly [string, number])[], samples: number): string {
  const all = byProcess.reduce((sum, [, seconds]) => sum + seconds, 0);
  return byProcess
    .filter(([, seconds]) => seconds >= all * SHOWN_SHARE)
    .map(([name, seconds]) => `${name} ${number(seconds / (samples / 1e6), 2)}`)
    .join(', ');
}

function paceRows({ order, generator, samples }: LoadResult): Row[] {
  const { measured, perSecond } = generator;
  const rate = sustainedRate(
    perSecond.map((payloads) => payloads * samplesOfPayload(order.plan)),
    STRETCH_SECONDS,
  );
  const rows: Row[] = [
    [
      'samples a second',
      `${number(samples / measured.seconds)} over ${number(measured.seconds, 1)} s of sending`,
    ],
    [`slowest ${rate.seconds} s`, `${number(rate.least)} samples a second`],
    ['answer p50 / p99 / max, from sending', spread(measured.latency, 1)],
  ];
  if (measured.latencyFromPlan !== null)
    rows.push(['answer p50 / p99 / max, from when it was due', spread(measured.latencyFromPlan, 1)]);
  if (measured.lag !== null) rows.push(['sent late by p50 / p99 / max', spread(measured.lag, 1)]);
  return rows;
}

function storageRows({ order, bytes, samplesStored, payloadsStored }: LoadResult): Row[] {
  const sizes = [bytes.samples, bytes.rollups, bytes.all, bytes.directory];
  const shown = bytes.relations.filter(([, size]) => size >= bytes.all * SHOWN_SHARE);
  const rows: Row[] = [
    [
      'bytes on disk a sample, by relation',
      shown.map(([name, size]) => `${name} ${number(size / samplesStored, 2)}`).join(', '),
    ],
    [
      'bytes on disk a sample: samples / rollups / all tables / with log and all else',
      sizes.map((size) => number(size / samplesStored, 1)).join(' / '),
    ],
  ];
  if (order.plan.rich) {
    const parts = [bytes.all, bytes.snapshots, bytes.samples, bytes.rollups, bytes.directory];
    rows.push([
      'bytes on disk a payload: all tables / snapshots / samples / rollups / with log and all else',
      parts.map((size) => number(size / payloadsStored)).join(' / '),
    ]);
  }
  return rows;
}

function freshnessRows(freshness: Freshness | undefined): Row[] {
  if (freshness === undefined) return [];
  const { service, series, alert, probes, lost, requests } = freshness;
  return [
    ['accepted to /services/:id p50 / p99 / max', spread(service)],
    ['accepted to /services/:id/metrics p50 / p99 / max', spread(series)],
    ['breach to alert p50 / p99 / max', spread(alert)],
    [
      'probes / not seen within 10 s / requests they took',
      `${probes} / ${lost} / ${number(requests)} (their cost is in the figures)`,
    ],
  ];
}

/** The figures that show whether the others are reliable. */
function doubtRows({ generator, bystanders }: LoadResult): Row[] {
  const rows: Row[] = [
    ['CPU-seconds of the generator while measured (not counted)', number(generator.measuredCpuSeconds, 1)],
    [
      'CPU-seconds of others on the machine / taken by its host',
      `${number(bystanders.busy, 1)} / ${number(bystanders.stolen, 1)}`,
    ],
  ];
  const refused = Object.entries(generator.refusals).map(
    ([status, count]) => `${count} × ${status === '0' ? 'connection lost' : status}`,
  );
  if (refused.length > 0) rows.push(['answers other than 200, sent again', refused.join(', ')]);
  return rows;
}

const MAX_SHOWN = 10;

/** A table of the resident memory by kind of process, MiB, and of what all processes of a kind share, counted once. */
function memoryTable(memory: MemoryReport): string {
  const rows = memory.processes
    .slice(0, MAX_SHOWN)
    .map(({ name, median, peak, peakAnon, peakShared }) => [
      name,
      ...[median, peak, peakAnon, peakShared].map(mebibytes),
    ]);
  const sum = (name: string, spread: Spread | null) => [
    `all of ${name}, shared pages once (Pss)`,
    ...(spread === null ? ['unreadable', ''] : [mebibytes(spread.median), mebibytes(spread.peak)]),
    '',
    '',
  ];
  return table(
    ['memory, MiB', 'median', 'peak', 'own (RssAnon), peak', 'shared (RssShmem), peak'],
    [...rows, sum('PostgreSQL', memory.postgres), sum('Node and npm', memory.node)],
  );
}
