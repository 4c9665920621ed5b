import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import styles from './alert-page.module.css';
import { Evaluation } from './evaluation.tsx';
import { Notifications } from './notifications.tsx';
import { Related } from './related.tsx';
import type { SectionProps } from './section-props.ts';
import { Timeline } from './timeline-view.tsx';

const TABS = {
  timeline: 'Timeline',
  notifications: 'Delivery',
  related: 'Related',
  evaluation: 'Evaluation',
};
type Tab = keyof typeof TABS;

/** What explains an alert. A phone shows one section at a time, by the parameter `tab`; larger screens show them all. */
export function AlertSections(props: SectionProps) {
  const { tab: asked = 'timeline' } = usePageSearch('alert');
  const setSearch = useSetPageSearch('alert');
  const tab: Tab = Object.hasOwn(TABS, asked) ? (asked as Tab) : 'timeline';
  return (
    <>
      <nav className={styles['tabs']} aria-label="Sections">
        {Object.entries(TABS).map(([name, word]) => (
          <button
            key={name}
            type="button"
            aria-current={name === tab || undefined}
            onClick={() => setSearch({ tab: name })}
          >
            {word}
          </button>
        ))}
      </nav>
      <div className={styles['sections']} data-tab={tab}>
        <Timeline {...props} />
        <Notifications alert={props.alert} />
        <Evaluation {...props} />
        <Related alert={props.alert} />
      </div>
    </>
  );
}
