import { availableParallelism, cpus } from 'node:os';
import type { LedgerReport } from './ledger/check.ts';
import type { PeerResult } from './peers/peer.ts';
import type { KillRound } from './scenarios/kill.ts';
import type { ListTiming } from './scenarios/lists.ts';
import type { Freshness } from './scenarios/live.ts';
import { isValid, type LoadResult } from './scenarios/replay.ts';

type Row = [name: string, value: string];

/** Two columns of text as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `| ${name.padEnd(width)} | ${value} |`);
  return [`| ${'figure'.padEnd(width)} | value |`, `|${'-'.repeat(width + 2)}|---|`, ...lines].join('\n');
}

export function machine(): string {
  return `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}`;
}

function number(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function loadTable(result: LoadResult, freshness: Freshness | undefined): string {
  const { generator, yardstick, bytes, plan } = result;
  const perMillion = result.cpuSeconds / (result.samples / 1e6);
  const rows: Row[] = [
    [
      'samples',
      `${number(result.samples)} in ${number(result.payloads)} payloads, ${number(generator.requests)} requests`,
    ],
    [
      'CPU-seconds a million samples',
      `${number(perMillion, 2)} = ${number(perMillion / yardstick.total, 2)} × yardstick`,
    ],
    [
      'yardstick',
      `${number(yardstick.total, 2)} = ${number(yardstick.parse, 2)} JSON.parse + ${number(yardstick.copy, 2)} COPY`,
    ],
    ['samples a second', number(result.samples / generator.seconds)],
    [
      'answer p50 / p99 / max',
      `${number(generator.latency.p50, 1)} / ${number(generator.latency.p99, 1)} / ${number(generator.latency.max, 1)} ms`,
    ],
    [
      'until nothing is dirty, checkpoint ended',
      `${number(result.settleSeconds, 1)} s after the last answer`,
    ],
    [
      'bytes on disk a sample: samples / rollups / all',
      [bytes.samples, bytes.rollups, bytes.all].map((size) => number(size / result.samples, 1)).join(' / '),
    ],
  ];
  if (plan.rich) {
    rows.push(
      ['CPU-milliseconds a payload', number((result.cpuSeconds * 1_000) / result.payloads, 3)],
      [
        'bytes on disk a payload',
        `${number(bytes.all / result.payloads)}, of these ${number(bytes.snapshots / result.payloads)} snapshots`,
      ],
    );
  }
  if (plan.paced) rows.push(['generator behind its plan at worst', `${number(generator.worstDelayMs)} ms`]);
  if (freshness !== undefined) {
    const line = ({ p50, p99, max }: Freshness['alert']) =>
      `${number(p50)} / ${number(p99)} / ${number(max)} ms`;
    rows.push(
      ['accepted to /services/:id p50 / p99 / max', line(freshness.service)],
      ['accepted to /services/:id/metrics p50 / p99 / max', line(freshness.series)],
      ['breach to alert p50 / p99 / max', line(freshness.alert)],
      ['probes / not seen within 10 s', `${freshness.probes} / ${freshness.lost}`],
    );
  }
  rows.push(
    ['CPU-seconds of the generator (not counted)', number(generator.cpuSeconds, 1)],
    ...peakRows(result.peaks),
  );
  const refused = Object.entries(generator.refusals).map(
    ([status, count]) => `${count} × ${status === '0' ? 'connection lost' : status}`,
  );
  if (refused.length > 0) rows.push(['answers other than 200, sent again', refused.join(', ')]);
  const verdict = isValid(result)
    ? 'The recount agrees with the ledger.'
    : 'VOID: the recount differs from the ledger.';
  const faults = [...result.report.examples, ...result.rollupDifferences.slice(0, 10)];
  return `${table(rows)}\n\n${verdict} ${ledgerLine(result.report)}\n${faults.join('\n')}`;
}

function ledgerLine(report: LedgerReport): string {
  const { rowsFound, rowsExpected, missing, unexpected, doubled, altered } = report;
  return `Rows ${number(rowsFound)}, acknowledged ${number(rowsExpected)}; missing ${missing}, unexpected ${unexpected}, doubled ${doubled}, altered ${altered}.`;
}

export function listTable(timings: readonly ListTiming[], peaks: ReadonlyMap<string, number>): string {
  const rows = timings.map(({ path, p50, p99, total }): Row => {
    const shown = path
      .replace(/(svc|rul)_[0-9a-f]+/g, '$1_…')
      .replace(/cursor=[^&]+/, 'cursor=…')
      .replace(/\d{4}-\d\d-(\d\dT[\d:.]+)Z/g, '$1');
    return [
      shown,
      `${number(p50, 1)} / ${number(p99, 1)} ms${total === null ? '' : `, total ${number(total)}`}`,
    ];
  });
  return table([...rows, ...peakRows(peaks)]);
}

export function killTable(round: KillRound, kills: number): string {
  const { alerts } = round;
  const lines = table([
    ['kills', String(kills)],
    ['payloads acknowledged', number(round.payloads)],
    ['longest restart until ready', `${number(round.restartSeconds, 1)} s`],
    [
      'alerts expected / missing / unexpected',
      `${alerts.expected} / ${alerts.missing.length} / ${alerts.unexpected.length}`,
    ],
  ]);
  const faults = [
    ...round.report.examples,
    ...round.rollupDifferences.slice(0, 5),
    ...alerts.missing.slice(0, 5),
    ...alerts.unexpected.slice(0, 5),
  ];
  return `${lines}\n\n${ledgerLine(round.report)}\n${faults.join('\n')}`;
}

export function peerTable(results: readonly PeerResult[], ours: number): string {
  return table(
    results.map((peer): Row => {
      if (peer.cpuPerMillion === undefined) return [peer.name, peer.note];
      return [
        peer.name,
        `${number(peer.cpuPerMillion, 2)} CPU-s a million samples; ours is ${number(ours / peer.cpuPerMillion, 2)} × that${peer.note}`,
      ];
    }),
  );
}

function peakRows(peaks: ReadonlyMap<string, number>): Row[] {
  return [...peaks]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 12)
    .map(([name, bytes]) => [`peak RSS, ${name}`, `${number(bytes / 1_048_576)} MiB`]);
}
