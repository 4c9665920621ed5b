import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import type { Silence } from '@tidewatch/contracts/silences/silence';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { serverNow } from '../../components/time/clock.ts';
import { Form } from '../../form/form.tsx';
import { type Draft, withValue } from '../../form/form-state.ts';
import { useSettled } from '../../form/use-settled.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { zoneOf } from '../alerts/silence-choices.ts';
import { SilencePreview } from '../alerts/silence-preview.tsx';
import { usePageSearch } from '../page-state.ts';
import { copyOfSilence, newSilence, silenceBody } from './silence-draft.ts';
import { SilenceForm } from './silence-form.tsx';
import styles from './silences.module.css';

/** A new silence: from nothing, of an alert, or like another silence. */
export function NewSilencePage() {
  const { alert, copy } = usePageSearch('newSilence');
  const { zone } = usePreferences();
  const { data, error, refetch } = useQuery({
    queryKey: ['silence-to-copy', alert ?? null, copy ?? null, zone],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Draft> => {
      if (copy !== undefined) {
        const silence = await api.get('/api/v1/silences/{id}', { params: { path: { id: copy } }, signal });
        return copyOfSilence(silence as Silence, serverNow());
      }
      if (alert === undefined) return newSilence(serverNow(), zoneOf(zone));
      const { host, rule_id } = await api.get('/api/v1/alerts/{id}', {
        params: { path: { id: alert } },
        signal,
      });
      return newSilence(serverNow(), zoneOf(zone), { hosts: [host], rule_ids: [rule_id] });
    },
  });
  return (
    <>
      <PageHeader title="New silence" />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? !error && <Skeleton lines={6} height={32} /> : <Editor initial={data} />}
    </>
  );
}

function Editor({ initial }: { initial: Draft }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [draft, setDraft] = useState(initial);
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/silences', { body: silenceBody(draft) as never }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['silences'] });
      await navigate({ to: pathOf('silences', {}), search: { view: 'list' } as never });
    },
  });
  const { error } = create;
  const matchers = useSettled(draft['matchers']) as never;
  return (
    <Form
      className={styles['editor']}
      draft={draft}
      change={(path, value) => {
        setDraft((former) => withValue(former, path, value));
        create.reset();
      }}
      acting={create}
    >
      <SilenceForm />
      <section className={styles['effect']} aria-labelledby="effect">
        <h2 id="effect">What it mutes now</h2>
        {isEmpty(draft['matchers']) ? (
          <p className={styles['muted']}>Choose hosts, tags, rules or severities.</p>
        ) : (
          <SilencePreview matchers={matchers} />
        )}
      </section>
      {error && <Problem error={error} />}
      <div className={styles['actions']}>
        <ScopedButton kind="primary" type="submit" isBusy={create.isPending} busy="Silencing …">
          Silence
        </ScopedButton>
      </div>
    </Form>
  );
}

function isEmpty(matchers: unknown): boolean {
  return Object.values(matchers as object).every((each) => Object.keys(each ?? {}).length === 0);
}
