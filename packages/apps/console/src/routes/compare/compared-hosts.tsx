import { Status } from '../../components/status/status.tsx';
import { Age } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import type { Host } from '../host/host-reads.ts';
import { PageLink } from '../page-link.tsx';
import styles from './compare-page.module.css';
import { tagDifferences } from './differences.ts';

/** The hosts with their states, and the tags in which they differ. */
export function ComparedHosts({ hosts }: { hosts: readonly Host[] }) {
  const { common, different } = tagDifferences(hosts);
  return (
    // A table that scrolls is reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={styles['hosts']} tabIndex={0} aria-label="Hosts and their tags">
      <table>
        <caption className="visually-hidden">Hosts and the tags in which they differ</caption>
        <thead>
          <tr>
            <td />
            {hosts.map(({ id, name }) => (
              <th key={id} scope="col">
                <PageLink page="host" id={id}>
                  {visibleText(name)}
                </PageLink>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">status</th>
            {hosts.map(({ id, status }) => (
              <td key={id}>
                <Status status={status} />
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">last seen</th>
            {hosts.map(({ id, last_seen: at }) => (
              <td key={id}>
                <Age at={at} />
              </td>
            ))}
          </tr>
          {different.map(({ tag, values }) => (
            <tr key={tag}>
              <th scope="row">{visibleText(tag)}</th>
              {values.map((value, index) => (
                <td key={hosts[index]?.id}>{value === null ? '–' : visibleText(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {common.length > 0 && (
        <p className={styles['common']}>
          In common: {common.map(([name, value]) => `${visibleText(name)}=${visibleText(value)}`).join(', ')}
        </p>
      )}
    </section>
  );
}
