import type { Selector } from '@tidewatch/contracts/rules/rule';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';
import type { ChangeFacts, HostName } from '@tidewatch/domain/investigation/facts';
import { compileSelector } from '@tidewatch/domain/rules/selector';
import type { FactsRequest } from './facts-request.ts';
import { markerSource, ruleSource, tagChangeSource } from './sources.ts';

type TaggedHost = HostName & { readonly tags: Readonly<Record<string, string>> };

const MAX_CHANGES = 200;

/** The rules whose changes count: that of an alert, all whose scope selects the first host, or none. */
export type ChangedRules = { readonly id: string } | 'of the host' | null;

type ChangesRequest = Pick<FactsRequest, 'organizationId' | 'to'>;

/** Reads markers, changed tags and changed rules since a time (ms) that concern any of the hosts; oldest first. */
export async function readChanges(
  tx: Queryable,
  request: ChangesRequest,
  since: number,
  hosts: readonly TaggedHost[],
  rules: ChangedRules,
): Promise<ChangeFacts[]> {
  const changes = await Promise.all([
    readMarkers(tx, request, since, hosts),
    readTagChanges(tx, request, since, hosts),
    readRuleChanges(tx, request, since, hosts[0], rules),
  ]);
  return changes.flat().sort((a, b) => a.at - b.at);
}

async function readMarkers(
  tx: Queryable,
  { organizationId, to }: ChangesRequest,
  since: number,
  hosts: readonly TaggedHost[],
): Promise<ChangeFacts[]> {
  const rows = await tx<
    { id: string; at: number; title: string; tags: Record<string, string>; selector: Selector }[]
  >`
    select id, at, title, tags, selector from markers
    where organization_id = ${organizationId} and at >= ${toIso(since)}::timestamptz and at < ${toIso(to)}::timestamptz
    order by at desc, id desc limit ${MAX_CHANGES}`;
  return rows.flatMap(({ id, at, title, tags, selector }) => {
    const matches = compileSelector(selector);
    const concerned = hosts.filter(({ host, tags: own }) => matches(host, own)).map(nameOf);
    if (concerned.length === 0) return [];
    return [{ kind: 'marker' as const, id, at, title, tags, hosts: concerned, source: markerSource(id, at) }];
  });
}

async function readTagChanges(
  tx: Queryable,
  { organizationId, to }: ChangesRequest,
  since: number,
  hosts: readonly TaggedHost[],
): Promise<ChangeFacts[]> {
  const byId = new Map(hosts.map((host) => [host.serviceId, nameOf(host)]));
  const rows = await tx<
    { serviceId: string; at: number; before: Record<string, string>; after: Record<string, string> }[]
  >`
    select service_id as "serviceId", at, before, after from tag_changes
    where organization_id = ${organizationId} and service_id = any(${[...byId.keys()]}::text[])
      and at >= ${toIso(since)}::timestamptz and at < ${toIso(to)}::timestamptz
    order by at desc, service_id limit ${MAX_CHANGES}`;
  return rows.flatMap(({ serviceId, at, before, after }) => {
    const host = byId.get(serviceId);
    if (host === undefined) return [];
    const source = tagChangeSource(host, at);
    const title = titleOf(before, after);
    return [{ kind: 'tag' as const, id: source.ref, at, title, tags: after, hosts: [host], source }];
  });
}

/** Rules that were created or edited: an alert may then come from the rule, not the host. */
async function readRuleChanges(
  tx: Queryable,
  { organizationId, to }: ChangesRequest,
  since: number,
  host: TaggedHost | undefined,
  rules: ChangedRules,
): Promise<ChangeFacts[]> {
  if (rules === null || host === undefined) return [];
  const rows = await tx<{ id: string; name: string; version: number; at: number; scope: Selector }[]>`
    select id, name, version, updated_at as at, definition -> 'scope' as scope from alert_rules
    where organization_id = ${organizationId}
      and ${rules === 'of the host' ? tx`deleted_at is null` : tx`id = ${rules.id}`}
      and updated_at >= ${toIso(since)}::timestamptz and updated_at < ${toIso(to)}::timestamptz
    order by updated_at desc, id limit ${MAX_CHANGES}`;
  const concerned = rows.filter(
    ({ scope }) => rules !== 'of the host' || compileSelector(scope)(host.host, host.tags),
  );
  return concerned.map(({ id, name, version, at }) => ({
    kind: 'rule' as const,
    id,
    at,
    tags: {},
    hosts: [nameOf(host)],
    title: version === 1 ? `rule "${name}" was created` : `rule "${name}" was changed to version ${version}`,
    source: ruleSource(id, at),
  }));
}

/** The title of a change of tags, such as `tag version: 1.4.1 → 1.4.2`. */
function titleOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = names.filter((name) => before[name] !== after[name]);
  return changed
    .map((name) => `tag ${name}: ${before[name] ?? 'none'} → ${after[name] ?? 'none'}`)
    .join(', ');
}

function nameOf({ serviceId, host }: HostName): HostName {
  return { serviceId, host };
}
