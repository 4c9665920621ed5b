import { useQuery } from '@tanstack/react-query';
import { serverNow } from '../../../components/time/clock.ts';
import { Age, Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { PageLink } from '../../page-link.tsx';
import { Bar } from '../bar.tsx';
import styles from '../settings.module.css';
import { LastUse } from './key-columns.tsx';
import { type KeyDetail, keyState } from './key-words.ts';
import { keyRead } from './read-keys.ts';
import { rotationProgress } from './rotation-progress.ts';

/** How long after a read the uses of both keys are read again, ms. */
const POLL_MS = 5_000;

interface RotationProps {
  formerId: string;
  successorId: string;
  /** The key whose page this is. */
  shown: string;
}

/** How far the users of a key have moved to its successor, and until when they have to. */
export function Rotation({ formerId, successorId, shown }: RotationProps) {
  const { data: former } = useQuery({
    ...keyRead(formerId),
    refetchInterval: ({ state }) => isGoingOn(state.data) && POLL_MS,
  });
  const { data: successor } = useQuery({
    ...keyRead(successorId),
    refetchInterval: isGoingOn(former) && POLL_MS,
  });
  if (former === undefined || successor === undefined) return null;
  const isFormer = shown === formerId;
  const title = isFormer ? 'Rotation' : 'Takes the place of another key';
  return (
    <section aria-label={title} className={styles['form']}>
      <h2>{title}</h2>
      {isFormer ? (
        <p>
          Rotated at <Time at={successor.created_at} />: <KeyName value={successor} /> took its place.{' '}
          <Grace former={former} it="It" />
        </p>
      ) : (
        <p>
          It took the place of <KeyName value={former} /> at <Time at={successor.created_at} />.{' '}
          <Grace former={former} it="The former key" />
        </p>
      )}
      <Progress former={former} successor={successor} />
    </section>
  );
}

function isGoingOn(former: KeyDetail | undefined): boolean {
  return former !== undefined && keyState(former, serverNow()) === 'replaced';
}

function KeyName({ value }: { value: KeyDetail }) {
  return (
    <>
      <PageLink page="key" id={value.id}>
        <bdi>{visibleText(value.name)}</bdi>
      </PageLink>{' '}
      <span className={styles['muted']}>({value.prefix}…)</span>
    </>
  );
}

function Grace({ former, it }: { former: KeyDetail; it: string }) {
  const { expires_at } = former;
  if (!isGoingOn(former) || expires_at === null) return `${it} does not work any more.`;
  return (
    <>
      {it} works until <Time at={expires_at} /> (<Age at={expires_at} />
      ).
    </>
  );
}

function Progress({ former, successor }: { former: KeyDetail; successor: KeyDetail }) {
  const { moved, remaining, silent } = rotationProgress(former, successor);
  const all = moved.length + remaining.length + silent.length;
  return (
    <>
      {all > 0 && (
        <>
          <p>
            {moved.length} of {all} {all === 1 ? 'host uses' : 'hosts use'} the new key.
          </p>
          <Bar share={moved.length / all} />
          <p className={styles['muted']}>
            Uses are noted at most once a minute, and for the last 100 hosts of each key.
          </p>
        </>
      )}
      <dl className={styles['facts']}>
        <dt>Former key last used</dt>
        <dd>
          <LastUse at={former.last_used_at} />
        </dd>
        <dt>New key last used</dt>
        <dd>
          <LastUse at={successor.last_used_at} />
        </dd>
        <Hosts title="Still on the former key" hosts={remaining} />
        <Hosts title="Silent since the rotation" hosts={silent} />
      </dl>
    </>
  );
}

function Hosts({ title, hosts }: { title: string; hosts: Readonly<KeyDetail['recent_hosts']> }) {
  if (hosts.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <ul className={styles['hosts']} aria-label={title}>
          {hosts.map(({ host, last_used_at }) => (
            <li key={host}>
              <bdi>{visibleText(host)}</bdi>{' '}
              <span className={styles['muted']}>
                <Age at={last_used_at} />
              </span>
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}
