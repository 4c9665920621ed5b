import type { PageSearch } from '@tidewatch/contracts/console/paths';
import type { Alert } from '../../live/alert-filter.ts';

export interface RelatedAlerts {
  ofHost: readonly Alert[];
  ofRule: readonly Alert[];
  earlier: readonly Alert[];
}

/** A group of alerts, and the search of the page that lists them all. */
export interface RelatedGroup {
  title: string;
  alerts: readonly Alert[];
  search: PageSearch<'alerts'>;
}

/** Alerts beside an alert, each in the first group that it belongs to; groups without alerts are left out. */
export function relatedGroups(alert: Alert, { ofHost, ofRule, earlier }: RelatedAlerts): RelatedGroup[] {
  const shown = new Set([alert.id]);
  const take = (alerts: readonly Alert[]) => alerts.filter(({ id }) => !shown.has(id) && shown.add(id));
  const isSameInstance = ({ rule_id, subject }: Alert) =>
    rule_id === alert.rule_id && subject.kind === alert.subject.kind && subject.name === alert.subject.name;
  const groups: RelatedGroup[] = [
    {
      title: 'On this host within an hour',
      alerts: take(ofHost.filter((each) => !isSameInstance(each))),
      search: { service_id: alert.service_id, status: 'all' },
    },
    { title: 'Of this rule now', alerts: take(ofRule), search: { rule_id: alert.rule_id } },
    {
      title: 'Earlier, of the same rule on the same subject',
      alerts: take(earlier.filter(isSameInstance)),
      search: { service_id: alert.service_id, rule_id: alert.rule_id, status: 'all' },
    },
  ];
  return groups.filter(({ alerts }) => alerts.length > 0);
}
