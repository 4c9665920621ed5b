import type { Sql } from '@tidewatch/database/connection';
import { Turn } from '@tidewatch/store/event-loop/turn';
import type { ServiceHealthRow } from '@tidewatch/store/health/read';
import { readStateKeys } from '@tidewatch/store/rule-states/read';
import type { RuleIndex } from '../../rules/rule-index.ts';
import { rulesOf } from '../compile-streams.ts';
import { matchedPart } from '../host-parts.ts';
import { loadedKey, metricOfKey } from '../stream-name.ts';

/** Returns the hosts with a stored state that no longer belongs to a rule or stream, so that its alert has to end. */
export async function findWithEndingStates(
  sql: Sql,
  services: readonly ServiceHealthRow[],
  rules: RuleIndex,
): Promise<Set<string>> {
  const rows = new Map(services.map((row) => [row.serviceId, row]));
  const keys = services.map(({ organizationId, serviceId }) => ({ org: organizationId, id: serviceId }));
  const ending = new Set<string>();
  const portions = await readStateKeys(sql, keys);
  const turn = new Turn();
  for (const [serviceId, own] of Map.groupBy(portions, (portion) => portion.serviceId)) {
    const wanted = new WantedRules(rows.get(serviceId) as ServiceHealthRow, rules, turn);
    for (const { ruleIds, streams, parts, labels } of own) {
      for (const [place, ruleId] of ruleIds.entries()) {
        const name = parts[place] ?? null;
        const part = name === null ? null : { subject: name, labels: labels[place] ?? {} };
        if (!(await wanted.has(ruleId, streams[place] ?? null, part))) ending.add(serviceId);
      }
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }
  return ending;
}

/** A part, named as a subject, with its labels. */
interface LabelledPart {
  subject: string;
  labels: Record<string, string>;
}

/** The rules that evaluate each stream of one host; each stream is matched once. */
class WantedRules {
  readonly #service: ServiceHealthRow;
  readonly #rules: RuleIndex;
  readonly #turn: Turn;
  readonly #byStream = new Map<string, ReadonlySet<string>>();

  constructor(service: ServiceHealthRow, rules: RuleIndex, turn: Turn) {
    this.#service = service;
    this.#rules = rules;
    this.#turn = turn;
  }

  async has(ruleId: string, stream: string | null, part: LabelledPart | null): Promise<boolean> {
    if (stream === null) return false;
    const name = part === null ? stream : `${stream}\0${part.subject}`;
    let known = this.#byStream.get(name);
    if (known === undefined) {
      known = await this.#read(stream, part);
      this.#byStream.set(name, known);
    }
    return known.has(ruleId);
  }

  async #read(stream: string, part: LabelledPart | null): Promise<ReadonlySet<string>> {
    const { organizationId, host, tags } = this.#service;
    const key = loadedKey(stream);
    const metric = metricOfKey(key);
    const matched = part === null ? null : matchedPart(part.subject, part.labels);
    await this.#rules.forMetric(organizationId, metric).match(host, tags, matched, this.#turn);
    const { rules } = rulesOf(this.#service, this.#rules, { metric, key }, matched);
    return new Set(rules.map(({ id }) => id));
  }
}
