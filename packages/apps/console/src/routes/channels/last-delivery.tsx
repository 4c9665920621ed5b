import type { Channel } from '@tidewatch/contracts/channels/channel';
import { Status } from '../../components/status/status.tsx';
import { Ago } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';

/** What came of the last attempt to send something to a channel. */
export function LastDelivery({ delivery }: { delivery: Channel['last_delivery'] }) {
  if (delivery === null) return <>Nothing has been sent yet.</>;
  return (
    <Status status={delivery.status === 'delivered' ? 'healthy' : 'critical'}>
      last {delivery.status} <Ago at={delivery.at} />
      {delivery.error !== null && `: ${visibleText(delivery.error)}`}
    </Status>
  );
}
