import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Clock } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import type { Alert } from '../../live/alert-filter.ts';
import { PageLink } from '../page-link.tsx';
import { markerWindow } from './marker-window.ts';
import styles from './overview-page.module.css';

/** More markers than these in half an hour say nothing about one alert. */
const MAX_SHOWN = 2;
const STALE_MS = 60_000;

/** When markers were set near any of the alerts, read once for all lines. */
export function markerTimesRead(alerts: readonly Alert[]) {
  const from = alerts.length === 0 ? '' : new Date(markerWindow(alerts).from).toISOString();
  return {
    queryKey: ['markers', { overview: from }],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const params = { query: { from, limit: 100 } };
      const { markers } = await api.get('/api/v1/markers', { params, signal });
      return markers.map(({ at }) => at);
    },
    staleTime: STALE_MS,
    enabled: alerts.length > 0,
  };
}

/** The markers, such as deployments, that concern the host of the first of these alerts and were set shortly before. */
export function NearbyMarkers({ first, alerts }: { first: Alert; alerts: readonly Alert[] }) {
  const window = markerWindow(alerts);
  // The end of a range is not part of it.
  const query = {
    from: new Date(window.from).toISOString(),
    to: new Date(window.to + 1).toISOString(),
  };
  const { service_id: id } = first;
  const { data: markers = [] } = useQuery({
    queryKey: ['changes', 'overview', id, query],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query };
      const { changes } = await api.get('/api/v1/services/{id}/changes', { params, signal });
      return changes.filter(({ kind }) => kind === 'marker');
    },
    staleTime: STALE_MS,
  });
  return markers.slice(-MAX_SHOWN).map(({ id: marker, at, title }) => (
    <p key={marker ?? at} className={styles['muted']}>
      shortly before, at <Clock at={at} />:{' '}
      <PageLink page="host" id={id} search={{ tab: 'changes' }}>
        {visibleText(title)}
      </PageLink>
    </p>
  ));
}
