import { alertName } from '../system.ts';
import { RULE_LABEL } from './rule-file.ts';

interface Alerts {
  data: { alerts: { state: string; labels: Record<string, string> }[] };
}

/** Reads the firing alerts from an answer of `/api/v1/alerts`, as Prometheus and vmalert give it. */
export function firingAlerts(answer: Buffer): Set<string> {
  const { data } = JSON.parse(answer.toString()) as Alerts;
  const firing = data.alerts.filter(({ state }) => state === 'firing');
  return new Set(firing.map(({ labels }) => alertName(labels[RULE_LABEL] ?? '', labels['host'] ?? '')));
}
