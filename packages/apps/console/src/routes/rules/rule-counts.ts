import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatCount } from '../../components/number/number-format.ts';

export interface RuleCounts {
  alerts: number;
  services: number;
  acknowledged: number;
  flaps: number;
}

const NONE: ReadonlyMap<string, RuleCounts> = new Map();

/** The alerts of each rule in the last 7 days, those in shadow included. */
export function useRuleCounts(): ReadonlyMap<string, RuleCounts> {
  const { data } = useQuery({
    queryKey: ['alert-counts', 'rules'],
    staleTime: 15_000,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const query = { group_by: 'rule_id', top: 1_000, shadow: 'include' } as const;
      const { groups } = await api.get('/api/v1/alerts/counts', { params: { query }, signal });
      return new Map(groups.map((group) => [group.key, group as RuleCounts]));
    },
  });
  return data ?? NONE;
}

/** "42 alerts on 9 hosts, 3 acknowledged, 12 flaps". */
export function countsText(counts: RuleCounts | undefined): string {
  if (counts === undefined || counts.alerts === 0) return 'none';
  const { alerts, services, acknowledged, flaps } = counts;
  return [
    `${formatCount(alerts)} ${alerts === 1 ? 'alert' : 'alerts'} on ${formatCount(services)} ${services === 1 ? 'host' : 'hosts'}`,
    `${formatCount(acknowledged)} acknowledged`,
    ...(flaps === 0 ? [] : [`${formatCount(flaps)} ${flaps === 1 ? 'flap' : 'flaps'}`]),
  ].join(', ');
}
