import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Problem } from '../../components/problem.tsx';
import { FilterSelect } from '../../components/select.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import toolbar from '../../components/toolbar.module.css';
import { visibleText } from '../../components/visible-text.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { useChannels } from '../rules/channel-names.ts';
import { SettingsHeader } from '../settings/settings-header.tsx';
import { destinationOf, KIND_WORDS, KINDS } from './channel-kinds.ts';
import { ChannelTest } from './channel-test.tsx';
import styles from './channels.module.css';
import { LastDelivery } from './last-delivery.tsx';
import { NewChannel } from './new-channel.tsx';

/** Where notifications go. */
export function ChannelsPage() {
  const { kind } = usePageSearch('channels');
  const setSearch = useSetPageSearch('channels');
  const [adding, setAdding] = useState<ChannelKind | null>(null);
  const { data, error, isFetching, refetch } = useChannels();
  const shown = data?.filter((channel) => kind === undefined || channel.kind === kind);
  return (
    <>
      <SettingsHeader section="channels" />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <div className={toolbar['toolbar']}>
        <FilterSelect
          label="Kind"
          value={kind}
          options={[['', 'any'], ...KINDS]}
          onChange={(value) => setSearch({ kind: value })}
        />
        <fieldset aria-label="Add a channel" className={styles['add']}>
          {KINDS.map(([value, word]) => (
            <ScopedButton key={value} onClick={() => setAdding(value)}>
              Add {word}
            </ScopedButton>
          ))}
        </fieldset>
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {shown === undefined ? (
        !error && <Skeleton lines={3} height={80} />
      ) : shown.length === 0 ? (
        <Empty>
          {kind === undefined
            ? 'There is no channel: nobody is notified of alerts. A channel is where notifications go, such as Slack, mail or a webhook; add one above.'
            : 'No channel is of this kind.'}
        </Empty>
      ) : (
        <ul className={styles['cards']} aria-label="Channels">
          {shown.map((channel) => (
            <li key={channel.id}>
              <h2>
                <PageLink page="channel" id={channel.id}>
                  {visibleText(channel.name)}
                </PageLink>
              </h2>
              <p className={styles['muted']}>
                {KIND_WORDS[channel.kind]} · {visibleText(destinationOf(channel.config))}
                {channel.is_default && ` · default for rules that say only “${KIND_WORDS[channel.kind]}”`}
                {!channel.enabled && ' · off'}
              </p>
              <p>
                <LastDelivery delivery={channel.last_delivery} />
              </p>
              {channel.warnings.map(({ code, message }) => (
                <p key={code}>
                  <Status status="warning">{message}</Status>
                </p>
              ))}
              <ChannelTest id={channel.id} />
            </li>
          ))}
        </ul>
      )}
      {adding !== null && <NewChannel kind={adding} onClose={() => setAdding(null)} />}
    </>
  );
}
