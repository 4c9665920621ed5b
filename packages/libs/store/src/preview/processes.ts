import { fieldOf } from '@tidewatch/contracts/rules/rule-metric';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { Trial } from '@tidewatch/domain/preview/trial';
import { sumProcesses } from '@tidewatch/domain/snapshots/process-sums';
import { Turn } from '../event-loop/turn.ts';
import type { SnapshotSpan } from '../snapshots/snapshot-reader.ts';
import { organizationSnapshots } from '../snapshots/stored-snapshots.ts';
import { Effort, PreviewTooLargeError } from './effort.ts';
import type { PreviewContext } from './preview-context.ts';

/** The max number of payloads with processes that a preview reads; each lists dozens of processes. */
const MAX_SNAPSHOTS = 100_000;
/** The number of values that are evaluated between two checks of the time. */
const VALUES_PER_CHECK = 64;

interface ServiceOfSnapshots {
  id: string;
  host: string;
  tags: Record<string, string>;
}

/** The sum over all processes of one name at one time; the name is null for a payload without processes. */
interface ProcessValue {
  time: number;
  name: string | null;
  value: number | null;
}

/** Evaluates a rule on processes by name, from stored payloads. */
export async function previewProcesses(context: PreviewContext): Promise<void> {
  const { tx, request } = context;
  const turn = new Turn(request.signal);
  const services = await tx<ServiceOfSnapshots[]>`
    select id, host, tags from services
    where organization_id = ${request.organizationId} and deleted_at is null and archived_at is null order by host, id`;
  const wanted = services.filter(({ host, tags }) => context.appliesTo(host, tags));
  const hoursOf = await countSnapshots(
    tx,
    context,
    wanted.map(({ id }) => id),
  );
  for (const service of wanted) {
    const run = new ServiceRun(context, service, turn);
    for (const hour of hoursOf.get(service.id) ?? []) {
      const from = Math.max(hour, request.from);
      const to = Math.min(hour + HOUR_MS, request.to);
      await run.take(await readProcesses(tx, context, service.id, from, to));
    }
    run.finish();
  }
}

/** The hours in which each service sent processes, in order. Throws PreviewTooLargeError. */
async function countSnapshots(
  tx: Transaction,
  { request }: PreviewContext,
  ids: readonly string[],
): Promise<Map<string, number[]>> {
  const spans = ids.map((serviceId) => spanOf(request, serviceId, request));
  const hours = await organizationSnapshots.hours(tx, spans, 'processes');
  const effort = new Effort(MAX_SNAPSHOTS);
  const all = hours.flat().sort((a, b) => a.hour - b.hour);
  for (const { hour, count } of all) effort.add(hour, hour + HOUR_MS, count);
  if (effort.isTooMuch) throw new PreviewTooLargeError(effort.possibleFrom);
  return new Map(ids.map((id, index) => [id, (hours[index] ?? []).map(({ hour }) => hour)]));
}

const spanOf = (
  { organizationId }: { organizationId: string },
  serviceId: string,
  { from, to }: { from: number; to: number },
): SnapshotSpan => ({ organizationId, serviceId, from, to });

async function readProcesses(
  tx: Transaction,
  { request }: PreviewContext,
  id: string,
  from: number,
  to: number,
): Promise<ProcessValue[]> {
  const span = spanOf(request, id, { from, to });
  const [lists = []] = await organizationSnapshots.lists(tx, [span], 'processes');
  const ofMemory = fieldOf(request.rule.metric) === 'memory_rss';
  const values: ProcessValue[] = [];
  for (const { time, list } of lists) {
    if (list.length === 0) values.push({ time, name: null, value: null });
    for (const { name, cpuPercent, memory } of sumProcesses(list))
      values.push({ time, name, value: ofMemory ? memory : cpuPercent });
  }
  return values;
}

/** Evaluates the processes of one service, by name. */
class ServiceRun {
  readonly #context: PreviewContext;
  readonly #service: ServiceOfSnapshots;
  readonly #turn: Turn;
  /** By the name of the process; null where the rule leaves it out. */
  readonly #trials = new Map<string, Trial | null>();

  constructor(context: PreviewContext, service: ServiceOfSnapshots, turn: Turn) {
    this.#context = context;
    this.#service = service;
    this.#turn = turn;
  }

  async take(values: readonly ProcessValue[]): Promise<void> {
    let present = new Set<string>();
    for (const [index, { time, name, value }] of values.entries()) {
      if (name !== null) {
        present.add(name);
        if (value !== null) this.#trialOf(name)?.take(time, value, value, value, time);
      }
      if (values[index + 1]?.time !== time) {
        this.#miss(present, time);
        present = new Set();
      }
      if (index % VALUES_PER_CHECK === 0 && this.#turn.isOver) await this.#turn.yieldWhenDue();
    }
  }

  finish(): void {
    for (const trial of this.#trials.values()) trial?.finish();
  }

  #trialOf(name: string): Trial | null {
    const known = this.#trials.get(name);
    if (known !== undefined) return known;
    const { id: serviceId, host, tags } = this.#service;
    const rules = this.#context.rulesOf(host, tags, { name, labels: {} });
    if (rules === null) {
      this.#trials.set(name, null);
      return null;
    }
    this.#context.tally.countService(serviceId);
    const sink = this.#context.tally.sinkOf({ serviceId, host, subject: { kind: 'process', name } });
    const trial = new Trial(rules, sink);
    this.#trials.set(name, trial);
    return trial;
  }

  #miss(present: ReadonlySet<string>, time: number): void {
    for (const [name, trial] of this.#trials)
      if (!present.has(name) && (trial === null || trial.miss(time))) this.#trials.delete(name);
  }
}
