import { useQuery } from '@tanstack/react-query';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { readSeries } from '../../chart/data/series-reader.ts';
import { serverNow } from '../../components/time/clock.ts';
import { sparkPath } from '../hosts/spark-path.ts';
import { Sparkline } from '../hosts/sparkline.tsx';

/** The CPU of a container in the last hour. */
export function ContainerSpark({ serviceId, name }: { serviceId: string; name: string }) {
  const { data } = useQuery({
    queryKey: ['container-spark', serviceId, name],
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
    queryFn: async () => {
      const to = Math.ceil(serverNow() / MINUTE_MS) * MINUTE_MS;
      const from = to - HOUR_MS;
      const request = {
        serviceId,
        subject: `container:${name}`,
        metric: 'cpu_percent',
        from,
        to,
        stepMs: MINUTE_MS,
      };
      const { points } = await readSeries(request);
      return sparkPath(points.map(({ t, avg }) => ({ minute: (t - from) / MINUTE_MS, value: avg })));
    },
  });
  return <Sparkline path={data} />;
}
