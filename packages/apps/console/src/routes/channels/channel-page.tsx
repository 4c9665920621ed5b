import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { problemOf } from '@tidewatch/api-client/problem';
import type { Channel } from '@tidewatch/contracts/channels/channel';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/ask-dialog.tsx';
import { MoreActions } from '../../components/more-actions/more-actions.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { Form } from '../../form/form.tsx';
import { type Draft, withValue } from '../../form/form-state.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { isMissing, MissingObject } from '../missing-object.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageId } from '../page-state.ts';
import { ChannelForm } from './channel-form.tsx';
import { KIND_WORDS } from './channel-kinds.ts';
import { ChannelTest } from './channel-test.tsx';
import styles from './channels.module.css';
import { LastDelivery } from './last-delivery.tsx';

/** One channel: its settings, a test, and its end. */
export function ChannelPage() {
  const id = usePageId();
  const { data, error, refetch } = useQuery({
    queryKey: ['channel', id],
    queryFn: async ({ signal }) => {
      const { data, error, response } = await api.raw.GET('/api/v1/channels/{id}', {
        params: { path: { id } },
        signal,
      });
      if (data === undefined) throw problemOf(response, JSON.stringify(error ?? ''), Date.now());
      return { channel: data as Channel, etag: response.headers.get('etag') ?? '*' };
    },
  });
  if (data === undefined && isMissing(error))
    return (
      <MissingObject
        noun="channel"
        id={id}
        deletion="channel.deleted"
        list={<PageLink page="channels">Open the channels</PageLink>}
      />
    );
  if (data === undefined)
    return (
      <>
        <PageHeader title="Channel" />
        {error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton lines={5} height={32} />}
      </>
    );
  return <LoadedChannel key={data.channel.version} {...data} />;
}

function LoadedChannel({ channel, etag }: { channel: Channel; etag: string }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { id, kind, name, is_default, enabled, config } = channel;
  const [draft, setDraft] = useState<Draft>({ kind, name, is_default, enabled, config });
  const [isDeleting, setDeleting] = useState(false);
  const target = { path: { id }, header: { 'If-Match': etag } };
  const save = useMutation({
    mutationFn: () => {
      const { kind: _, ...fields } = draft;
      // Members that the other form of the configuration has not are taken away.
      const former = Object.fromEntries(Object.keys(config).map((field) => [field, null]));
      const body = { ...fields, config: { ...former, ...(draft['config'] as object) } };
      return api.patch('/api/v1/channels/{id}', {
        params: target,
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body: body as never,
      });
    },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['channels'] }),
        client.invalidateQueries({ queryKey: ['channel', id] }),
      ]),
  });
  const remove = useMutation({
    mutationFn: () => api.delete('/api/v1/channels/{id}', { params: target }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['channels'] });
      await navigate({ to: pathOf('channels', {}) });
    },
  });
  const { error } = save;
  return (
    <>
      <PageHeader
        title={visibleText(name)}
        actions={
          <MoreActions>
            <ScopedButton kind="danger" onClick={() => setDeleting(true)}>
              Delete
            </ScopedButton>
          </MoreActions>
        }
      />
      <div className={styles['channel']}>
        <p>
          {KIND_WORDS[kind]} · <LastDelivery delivery={channel.last_delivery} />
        </p>
        <ChannelTest id={id} />
        <Form
          className={styles['form']}
          draft={draft}
          change={(path, value) => setDraft((before) => withValue(before, path, value))}
          acting={save}
        >
          <ChannelForm isNew={false} />
          {error && <Problem error={error} />}
          <div>
            <ScopedButton kind="primary" type="submit" isBusy={save.isPending} busy="Saving …">
              Save
            </ScopedButton>{' '}
            <span role="status">{save.isSuccess && 'Saved.'}</span>
          </div>
        </Form>
        <p>
          <PageLink page="channels">All channels</PageLink>
        </p>
      </div>
      {isDeleting && (
        <AskDialog
          title={`Delete ${visibleText(name)}`}
          action="Delete the channel"
          busy="Deleting …"
          acting={remove}
          onClose={() => setDeleting(false)}
        >
          <p>Rules that name this channel notify nobody through it any more.</p>
        </AskDialog>
      )}
    </>
  );
}
