import type { Finding, Investigation } from './investigation-reads.ts';

/** The finding that is named as the cause; undefined while there is none. */
export function causeOf({ findings, analysis }: Investigation): Finding | undefined {
  const id = analysis?.root_cause_finding_id ?? null;
  return id === null ? undefined : findings.find((finding) => finding.id === id);
}

/** The finding about the metric that is investigated, on the host that is investigated. */
export function symptomOf({ findings, metric, service_id }: Investigation): Finding | undefined {
  return findings.find(
    (finding) =>
      finding.metric === metric &&
      metric !== null &&
      finding.service_id === service_id &&
      (finding.kind === 'metric_shift' || finding.kind === 'saturation'),
  );
}

/** The same for one finding in every state of a run, in which its id changes. */
export function findingKey({ kind, service_id, subject, title }: Finding): string {
  return JSON.stringify([kind, service_id, subject.kind, subject.name, title]);
}

/** The hosts that were compared and did not move, each once. */
export function unaffectedHosts(findings: readonly Finding[]): Finding['unaffected_hosts'] {
  const hosts = findings.flatMap(({ unaffected_hosts }) => unaffected_hosts);
  return [...new Map(hosts.map((host) => [host.service_id, host])).values()];
}

/** The names of all hosts that an investigation mentions, by the id of their service. */
export function hostsIn({
  service_id,
  host,
  findings,
}: Pick<Investigation, 'service_id' | 'host' | 'findings'>) {
  const mentioned = findings.flatMap((finding) => [finding, ...finding.hosts, ...finding.unaffected_hosts]);
  return new Map([{ service_id, host }, ...mentioned].map((each) => [each.service_id, each.host]));
}
