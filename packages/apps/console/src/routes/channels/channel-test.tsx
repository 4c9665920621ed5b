import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatDuration } from '../../components/number/number-format.ts';
import { problemText } from '../../components/problem-text.ts';
import { visibleText } from '../../components/visible-text.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import styles from './channels.module.css';

/** Sends a test to a channel and says in place what came of it and how long it took. */
export function ChannelTest({ id }: { id: string }) {
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => api.post('/api/v1/channels/{id}/test', { params: { path: { id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['channels'] }),
  });
  const { data, error } = test;
  return (
    <span className={styles['test']}>
      <ScopedButton isBusy={test.isPending} busy="Sending …" onClick={() => test.mutate()}>
        Send a test
      </ScopedButton>
      <span role="status">
        {data?.status === 'delivered' && `Delivered in ${formatDuration(data.duration_ms)}.`}
        {data?.status === 'failed' &&
          `Failed after ${formatDuration(data.duration_ms)}: ${visibleText(data.error ?? 'no reason was given')}`}
        {error && problemText(error).detail}
      </span>
    </span>
  );
}
