import express from 'express';
import type { Trusts } from './client-address.ts';

/** Which proxies are trusted to name their clients, by the setting TIDEWATCH_TRUST_PROXY; none by default. */
export function trustsOf(trustProxy: number | string[] | undefined): Trusts {
  return express()
    .set('trust proxy', trustProxy ?? false)
    .get('trust proxy fn');
}
