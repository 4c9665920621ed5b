import type { Rule } from '@tidewatch/contracts/rules/rule';
import { StatusShape } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { PageLink } from '../page-link.tsx';
import { conditionText, worstSeverity } from './rule-words.ts';
import styles from './rules.module.css';

/** A rule on a phone: its name and state, the condition, and its alerts of 7 days. */
export function NarrowRule({ rule, counts }: { rule: Rule; counts: string }) {
  const { id, name, mode, enabled, state, firing_count } = rule;
  const condition = conditionText(rule);
  return (
    <div className={styles['narrow']}>
      <div className={styles['narrowFirst']}>
        <span className={styles['name']}>
          <StatusShape status={worstSeverity(rule)} />
          <span className="visually-hidden">{worstSeverity(rule)}</span>
          <PageLink page="rule" id={id} title={visibleText(name)}>
            {visibleText(name)}
          </PageLink>
        </span>
        <span className={styles['note']}>
          {!enabled
            ? 'off'
            : state === 'firing'
              ? `firing ${firing_count}`
              : mode === 'shadow'
                ? 'shadow'
                : state}
        </span>
      </div>
      <span className={styles['cut']} title={condition}>
        {condition}
      </span>
      <span className={styles['cut']} title={counts}>
        <span className={styles['note']}>7 days: {counts}</span>
      </span>
    </div>
  );
}
