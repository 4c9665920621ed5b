import type { Detector } from '../detector.ts';
import { peerHosts } from './peer-hosts.ts';
import { sharedTag } from './shared-tag.ts';
import { suspectHosts } from './suspect-hosts.ts';

/** What is found by holding other hosts against the one that alerted. */
export const FLEET_DETECTORS: readonly Detector[] = [suspectHosts, sharedTag, peerHosts];
