import { toIso } from '@tidewatch/contracts/time/time';
import type { HostName, Source, Subject } from '@tidewatch/domain/investigation/facts';

interface Range {
  /** The range `[from, to)`, ms. */
  from: number;
  to: number;
}

/** The source of a metric: the API request that returns its steps. */
export function metricSource(
  { serviceId, host }: HostName,
  subject: Subject,
  metric: string,
  range: Range,
  stepSeconds: number,
): Source {
  const inside = subject.kind === 'host' ? '' : `${subject.kind}:${subject.name}/`;
  const query = new URLSearchParams({
    ...(subject.kind === 'host' ? {} : { subject: `${subject.kind}:${subject.name}` }),
    metrics: metric,
    from: toIso(range.from),
    to: toIso(range.to),
    step: String(stepSeconds),
  });
  return {
    ref: `host:${host}/${inside}${metric}`,
    query: `GET /api/v1/services/${serviceId}/metrics?${query}`,
    ...range,
  };
}

/** The source of processes and containers: a SQL query, since no endpoint returns past ones. */
export function snapshotSource({ serviceId, host }: HostName, range: Range): Source {
  const { from, to } = range;
  return {
    ref: `host:${host}/snapshots`,
    query:
      `select "time", processes, containers from snapshots where service_id = '${serviceId}'` +
      ` and "time" >= '${toIso(from)}' and "time" < '${toIso(to)}'`,
    ...range,
  };
}

/** The parts of a host in a payload of this time, ms. */
export function partsSource({ serviceId, host }: HostName, time: number): Source {
  return {
    ref: `host:${host}/parts`,
    query: `GET /api/v1/services/${serviceId}/snapshots?at=${toIso(time)}`,
    from: time,
    to: time + 1,
  };
}

export function alertsSource({ serviceId, host }: HostName, range: Range): Source {
  const query = new URLSearchParams({
    service_id: serviceId,
    status: 'all',
    from: toIso(range.from),
    to: toIso(range.to),
  });
  return { ref: `alerts:${host}`, query: `GET /api/v1/alerts?${query}`, ...range };
}

export function markerSource(id: string, at: number): Source {
  const query = new URLSearchParams({ from: toIso(at), to: toIso(at + 1) });
  return { ref: `marker:${id}`, query: `GET /api/v1/markers?${query}`, from: at, to: at + 1 };
}

export function tagChangeSource({ serviceId, host }: HostName, at: number): Source {
  return {
    ref: `tags:${host}@${toIso(at)}`,
    query: `select at, before, after from tag_changes where service_id = '${serviceId}' and at = '${toIso(at)}'`,
    from: at,
    to: at + 1,
  };
}

export function ruleSource(id: string, at: number): Source {
  return { ref: `rule:${id}`, query: `GET /api/v1/alerts/rules/${id}`, from: at, to: at + 1 };
}
