import { useQuery } from '@tanstack/react-query';
import { readSignInMethods } from './session-requests.ts';

/** What every installation has, until the server has answered. */
const KEYS_ALONE = { key: true, single_sign_on: null };

/** How people sign in here. */
export function useSignInMethods() {
  const { data = KEYS_ALONE } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: readSignInMethods,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
