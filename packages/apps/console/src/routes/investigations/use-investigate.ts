import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schema } from '@tidewatch/api-client/schema';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { api } from '../../api/client.ts';
import { type Investigation, investigationRead } from './investigation-reads.ts';

type Input = Schema<'InvestigationInput'>;

/** Asks for an investigation and opens its page, on which its findings arrive. */
export function useInvestigate() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: () => Input) =>
      (await api.post('/api/v1/investigations', { body: input() })) as Investigation,
    onSuccess: (investigation) => {
      client.setQueryData(investigationRead(investigation.id).queryKey, investigation);
      void navigate({ to: pathOf('investigation', { id: investigation.id }) });
    },
  });
}
