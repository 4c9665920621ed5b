import { isServed } from '@tidewatch/contracts/console/paths';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { PageLink } from '../../page-link.tsx';
import styles from '../settings.module.css';
import { AuditDiff } from './audit-diff-view.tsx';
import { ACTION_WORDS, type AuditRecord, OBJECT_PAGES } from './audit-words.ts';

/** One record: who did what to which object, and on request what that changed. */
export function AuditLine({ record }: { record: AuditRecord }) {
  const [isOpen, setOpen] = useState(false);
  const { id, at, actor, action, object, ip, before, after } = record;
  const name = visibleText(object.name) || object.id;
  return (
    <li>
      <div className={styles['text']}>
        <span>
          <PageLink page="audit" search={{ actor: actor.key_id }} title="What this key changed">
            <bdi>{visibleText(actor.name)}</bdi>
          </PageLink>{' '}
          {ACTION_WORDS[action] ?? action} <ObjectName object={object} name={name} />
        </span>
        <span className={styles['muted']}>
          <Time at={at} />
          {ip !== null && ` · from ${visibleText(ip)}`}
          {actor.session_id !== undefined && ' · in the console'}
          {' · '}
          <PageLink page="audit" search={{ object: object.id }}>
            history of this object
          </PageLink>
        </span>
      </div>
      {(before !== null || after !== null) && (
        <Button
          className={styles['quiet']}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `diff-${id}` : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide changes' : 'Show changes'}
          <span className="visually-hidden"> of {name}</span>
        </Button>
      )}
      {isOpen && <AuditDiff id={`diff-${id}`} before={before} after={after} />}
    </li>
  );
}

function ObjectName({ object, name }: { object: AuditRecord['object']; name: string }) {
  const page = OBJECT_PAGES[object.type];
  const shown = <bdi>“{name}”</bdi>;
  if (page === undefined || !isServed(page)) return shown;
  return (
    <PageLink page={page as 'rule'} id={object.id}>
      {shown}
    </PageLink>
  );
}
