import type { Event } from '@tidewatch/api-client/events';
import { Copy } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import styles from './events.module.css';

/** An event as streams and webhooks deliver it. */
export function EventDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const text = JSON.stringify(event, null, 2);
  return (
    <Dialog
      title={event.type}
      isOpen
      onClose={onClose}
      actions={<Copy text={text} label="Copy JSON" showsText={false} />}
    >
      <p>
        <Time at={event.time} />, as streams and webhooks deliver it:
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className={styles['json']} tabIndex={0}>
        {text.split('\n').map(visibleText).join('\n')}
      </pre>
    </Dialog>
  );
}
