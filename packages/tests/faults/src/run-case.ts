import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '@tidewatch/bench/api';
import type { GeneratorResult } from '@tidewatch/bench/load/messages';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { mountSmallDisk } from '@tidewatch/harness/small-disk';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { compare, type Verdict, verify } from './check/verify.ts';
import type { FaultCase, FaultContext } from './fault-case.ts';
import { type Answers, startAnswerProxy } from './harness/answers.ts';
import { openInstallation } from './harness/installation.ts';
import { startLoad } from './harness/load.ts';
import { type Parts, revive, startParts } from './harness/parts.ts';
import { createRules } from './harness/rules.ts';
import { createShiftedClock, findClockLibrary, type ShiftedClock } from './harness/shifted-clock.ts';
import { waitFor } from './harness/wait.ts';

/** The result of a fault case. */
export interface CaseResult {
  id: string;
  fault: string;
  /** By failpoint, the number of times that it fired. */
  fired: Record<string, number>;
  /** The number of samples that were sent; the following counts are of samples too. */
  sent: number;
  acknowledged: number;
  found: number;
  missing: number;
  doubled: number;
  /** The number of samples that are stored with another value, or were never sent. */
  wrong: number;
  verdict: Verdict | null;
  /** The number of responses other than 200 by status; 0 is a lost connection. */
  refusals: Record<string, number>;
  /** The largest resident size of each role's processes that were running at the end, bytes. */
  peakBytes: Record<string, number>;
  notes: string[];
  /** Descriptions of all failed expectations; empty if the case passed. */
  faults: string[];
  seconds: number;
}

export interface RunOptions {
  parts: Parts;
  seed: number;
  /** How databases keep samples where the case does not say it; that of new databases of the product if undefined. */
  sampleLayout?: SampleLayout | undefined;
  /** Whether each fault is repeated fewer times, as in the short selection. */
  short: boolean;
  /** Whether to keep the files of servers that only this case uses, and to note where they are. */
  keep?: boolean;
}

const BEFORE_MS = 2_000;
const AFTER_MS = 3_000;
const DISK_MIB = { kafka: 220, postgres: 500 };

/**
 * Runs one case on an installation of its own and compares every row with the ledger. Opened parts are on the lifecycle,
 * which the caller closes.
 */
export async function runCase(
  fault: FaultCase,
  options: RunOptions,
  lifecycle: Lifecycle,
): Promise<CaseResult> {
  const began = performance.now();
  const result = emptyResult(fault);
  try {
    await runInto(result, fault, options, lifecycle);
  } catch (error) {
    result.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  for (const [point, count] of Object.entries(result.fired))
    if (count === 0) result.faults.push(`the failpoint "${point}" did not fire`);
  return { ...result, seconds: (performance.now() - began) / 1_000 };
}

function emptyResult({ id, fault, failpoints }: FaultCase): CaseResult {
  return {
    id,
    fault,
    fired: Object.fromEntries(failpoints.map((point) => [point, 0])),
    sent: 0,
    acknowledged: 0,
    found: 0,
    missing: 0,
    doubled: 0,
    wrong: 0,
    verdict: null,
    refusals: {},
    peakBytes: {},
    notes: [],
    faults: [],
    seconds: 0,
  };
}

async function runInto(
  result: CaseResult,
  fault: FaultCase,
  { parts: shared, seed, short, sampleLayout, keep = false }: RunOptions,
  lifecycle: Lifecycle,
): Promise<void> {
  const { fired, notes, faults } = result;
  const disks = fault.needs?.includes('disks') ? await openDisks(lifecycle) : null;
  const parts = fault.ownParts || disks !== null ? await openOwnParts(lifecycle, disks, keep) : shared;
  if (keep && parts !== shared) notes.push(`logs and data: ${parts.home}`);
  await revive(parts);
  const name = `fault-${fault.id}-${seed}`.toLowerCase();
  const library = findClockLibrary();
  const clock =
    fault.needs?.includes('clock') && library
      ? createShiftedClock(library, join(parts.home, `${name}.clock`))
      : null;
  const environment = { ...fault.shape?.environment, ...clock?.environment };
  const installation = await lifecycle.open(
    'installation',
    () => openInstallation(parts, name, { sampleLayout, ...fault.shape, environment }),
    (opened) => opened.close(),
  );
  const reporting = {
    fired(point: string) {
      fired[point] = (fired[point] ?? 0) + 1;
    },
    note: (text: string) => void notes.push(text),
  };
  let deadLetters = 0;
  try {
    const rules = await createRules(createApi(installation.one('query-api').url, installation.key));
    const gateway = installation.one('gateway').url;
    const answers = fault.throughProxy
      ? await lifecycle.open(
          'answers',
          () => startAnswerProxy(gateway),
          (proxy) => proxy.close(),
        )
      : null;
    const load = startLoad(
      answers?.url ?? gateway,
      installation.key,
      seed,
      Date.now() - (fault.shape?.loadAgeMs ?? 0),
    );
    lifecycle.defer('load', () => load.kill());
    let generated: GeneratorResult;
    try {
      await waitFor('the load is accepted', 30_000, () => load.acknowledged() > 0);
      await sleep(BEFORE_MS);
      await fault.run({
        parts,
        installation,
        load,
        random: createRandom(seed),
        ...reporting,
        times: (some, all) => (short ? some : all),
        expectDeadLetters(count) {
          deadLetters = count;
        },
        clock: clock as ShiftedClock,
        disks: disks as FaultContext['disks'],
        answers: answers as Answers,
      });
      await sleep(AFTER_MS);
    } finally {
      generated = await load.stop();
    }
    const { plan } = load;
    const { ledger } = generated;
    const samples = (payloads: readonly number[]) =>
      payloads.reduce((sum, count) => sum + count, 0) * plan.metrics;
    Object.assign(result, {
      sent: samples(ledger.sent),
      acknowledged: samples(ledger.acknowledged),
      refusals: generated.refusals,
    });
    const verdict = await verify(installation, { plan, ledger, rules, deadLetters });
    const { rows } = verdict;
    Object.assign(result, {
      verdict,
      found: rows.rowsFound * plan.metrics,
      missing: rows.missing * plan.metrics,
      doubled: rows.doubled * plan.metrics,
      wrong: (rows.altered + rows.unexpected) * plan.metrics,
    });
    faults.push(...verdict.faults);
    const compareAgain = async () => (await compare(installation, plan, ledger, rules, deadLetters)).faults;
    if (faults.length === 0) await fault.afterwards?.({ installation, ...reporting, compareAgain });
  } finally {
    for (const service of installation.services)
      result.peakBytes[service.role] = Math.max(result.peakBytes[service.role] ?? 0, service.peakBytes());
  }
}

function openDisks(lifecycle: Lifecycle): Promise<FaultContext['disks']> {
  return lifecycle.open(
    'disks',
    () => {
      const kafka = mountSmallDisk(DISK_MIB.kafka);
      return { kafka, postgres: mountSmallDisk(DISK_MIB.postgres) };
    },
    (disks) => {
      disks.kafka.unmount();
      disks.postgres.unmount();
    },
  );
}

function openOwnParts(
  lifecycle: Lifecycle,
  disks: FaultContext['disks'] | null,
  keep: boolean,
): Promise<Parts> {
  const folders =
    disks === null
      ? {}
      : { kafkaHome: join(disks.kafka.path, 'kafka'), postgresHome: join(disks.postgres.path, 'postgres') };
  return lifecycle.open(
    'parts',
    () => startParts({ ...folders, keep }),
    (parts) => parts.close(),
  );
}

/** Why this machine cannot run the case, or null. */
export function obstacleOf(fault: FaultCase): string | null {
  if (fault.needs?.includes('clock') && findClockLibrary() === null)
    return "libfaketime is missing (Debian's package libfaketime)";
  if (!fault.needs?.includes('disks')) return null;
  try {
    mountSmallDisk(1).unmount();
    return null;
  } catch (error) {
    return `no disk can be mounted: ${error instanceof Error ? error.message : error}`;
  }
}
