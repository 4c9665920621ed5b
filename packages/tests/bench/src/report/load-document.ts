import { samplesOfPayload } from '../load/plan.ts';
import { sustainedRate } from '../measure/rate.ts';
import type { LoadResult } from '../scenarios/load.ts';
import type { Freshness } from '../scenarios/probe.ts';

/** The figures of a load for JSON: those of the table, unrounded, in the units of their names. */
export function loadDocument(result: LoadResult, freshness: Freshness | undefined) {
  const { order, generator, samples, cpu, yardstick, alerts, memory } = result;
  const { ledger: _ledger, perSecond, ...measured } = generator;
  const { plan, rate } = order;
  const { drainedSeconds, restedSeconds, sealing, idleShare } = result.settled;
  const millions = samples / 1e6;
  return {
    plan,
    rate,
    samples,
    samplesStored: result.samplesStored,
    payloadsStored: result.payloadsStored,
    cpuSeconds: cpu,
    cpuSecondsPerMillion: { window: cpu.window / millions, settled: cpu.settled / millions },
    yardsticks: {
      window: cpu.window / millions / yardstick.total,
      settled: cpu.settled / millions / yardstick.total,
    },
    yardstick,
    generator: measured,
    samplesPerSecond: sustainedRate(
      perSecond.map((payloads) => payloads * samplesOfPayload(plan)),
      10,
    ),
    settled: { drainedSeconds, restedSeconds, sealing, idleShare },
    caughtUp: result.caughtUp,
    bytes: result.bytes,
    memoryBytes: memory,
    bystanders: result.bystanders,
    freshness: freshness ?? null,
    recount: {
      rows: result.report,
      rollupDifferences: result.rollupDifferences,
      alerts,
      company: result.company,
      parts: result.parts,
    },
  };
}
