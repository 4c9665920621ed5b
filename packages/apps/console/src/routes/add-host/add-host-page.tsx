import { useState } from 'react';
import { Copy } from '../../components/copy.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Status } from '../../components/status/status.tsx';
import { Tabs } from '../../components/tabs/tabs.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useSession } from '../../session/session-state.ts';
import { PageLink } from '../page-link.tsx';
import styles from './add-host.module.css';
import { addressFor, commandOf, isLoopback, NO_SECRET, WAY_NOTES, WAYS, type Way } from './commands.ts';
import { FirstSamples } from './first-samples.tsx';
import { GuideView } from './guides/guide-view.tsx';
import { GUIDES } from './guides/guides.ts';
import { IngestKey } from './ingest-key.tsx';
import { type CreatedKey, useReportedHosts } from './reported-hosts.ts';
import { RevokeKey } from './revoke-key.tsx';
import { UnusedKeys } from './unused-keys-view.tsx';

const TABS = [
  ...Object.entries(WAYS).map(([name, label]) => ({ name, label: label as string })),
  ...[...GUIDES].map(([name, { title }]) => ({ name, label: title })),
];

/** The commands that report a machine and the configurations of other agents, with a key, and the first sample as it arrives. */
export function AddHostPage() {
  const [key, setKey] = useState<CreatedKey | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);
  return (
    <>
      <PageHeader title="Add a host" />
      <ol className={styles['steps']}>
        <li>
          <h2>On the machine to monitor</h2>
          {key === null ? (
            <>
              {revoked !== null && <p role="status">The key “{visibleText(revoked)}” was revoked.</p>}
              <IngestKey
                onCreated={(created) => {
                  setRevoked(null);
                  setKey(created);
                }}
              />
            </>
          ) : (
            <p>
              The key “{visibleText(key.name)}” can only send samples
              {key.hosts !== null && <>, for {key.hosts.map(visibleText).join(', ')}</>}. It is shown once:
              copy what holds it before you leave this page.
            </p>
          )}
          <Command secret={key?.secret ?? null} />
        </li>
        {key !== null && (
          <li>
            <h2>The first sample</h2>
            <Arrival
              created={key}
              onRevoked={() => {
                setRevoked(key.name);
                setKey(null);
              }}
            />
          </li>
        )}
      </ol>
      <UnusedKeys shownKeyId={key?.id ?? null} />
    </>
  );
}

function Command({ secret }: { secret: string | null }) {
  const session = useSession();
  const [way, setWay] = useState<string>('install');
  const known = session.kind === 'signed-in' ? session.identity.server.public_url : null;
  const url = addressFor(location.origin, known);
  const guide = GUIDES.get(way);
  return (
    <div>
      {isLoopback(url) && (
        <p className={styles['note']}>
          <Status status="warning">
            <code>{url}</code> reaches only the machine on which Tidewatch runs.
          </Status>{' '}
          Another machine needs an address at which it reaches this one: start Tidewatch with{' '}
          <code>TIDEWATCH_HOST=0.0.0.0</code> and{' '}
          <code>TIDEWATCH_PUBLIC_URL=http://ADDRESS:{new URL(url).port || '80'}</code>, then open this page
          again.
        </p>
      )}
      <Tabs label="Ways to send samples" tabs={TABS} current={way} onChange={setWay}>
        {guide === undefined ? (
          <OneCommand way={way as Way} url={url} secret={secret} />
        ) : (
          <GuideView guide={guide} url={url} secret={secret} />
        )}
      </Tabs>
    </div>
  );
}

function OneCommand({ way, url, secret }: { way: Way; url: string; secret: string | null }) {
  const command = commandOf(way, url, secret ?? NO_SECRET);
  return (
    <>
      <p className={styles['note']}>{WAY_NOTES[way]}</p>
      {secret === null ? (
        <pre className={styles['example']}>{command}</pre>
      ) : (
        <Copy key={command} text={command} />
      )}
    </>
  );
}

function Arrival({ created, onRevoked }: { created: CreatedKey; onRevoked: () => void }) {
  const { hosts, isUsed } = useReportedHosts(created);
  return (
    <>
      <FirstSamples hosts={hosts} since={created.created_at} />
      {isUsed === false && (
        <p className={styles['unused']}>
          <span>The key has not been used yet.</span>
          <RevokeKey keyId={created.id} name={created.name} onRevoked={onRevoked} />
        </p>
      )}
      {hosts.length > 0 && (
        <p className={styles['note']}>
          Next: <PageLink page="newRule">create a rule</PageLink> or see{' '}
          <PageLink page="hosts">all hosts</PageLink>.
        </p>
      )}
    </>
  );
}
