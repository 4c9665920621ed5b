import type { Detector } from '../detector.ts';
import { peerHosts } from './peer-hosts.ts';
import { sharedTag } from './shared-tag.ts';
import { suspectHosts } from './suspect-hosts.ts';

/** The findings of a comparison of other hosts with the alerting one. */
export const FLEET_DETECTORS: readonly Detector[] = [suspectHosts, sharedTag, peerHosts];
