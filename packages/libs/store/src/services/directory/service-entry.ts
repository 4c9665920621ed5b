/** The fields of a service that consumers of samples need, cached until it is deleted. */
export interface ServiceEntry {
  readonly organizationId: string;
  readonly serviceId: string;
  readonly host: string;
  /** The tags of the service; replaced as a whole on a change, so that consumers may compare by identity. */
  tags: Readonly<Record<string, string>>;
  /** The sample time (ms) of the payload that set the tags; -Infinity if no payload set any. */
  tagsAt: number;
  /** Whether the clock of the host was set back, so that the time of its stored tags is later than its clock. */
  isClockSetBack: boolean;
  /** Payloads received at or before this time (ms) belong to a deleted service of the same host. */
  readonly notBefore: number;
  /** Whether the current transaction created the service, which therefore has no stored rows. */
  isNew: boolean;
  /** False once the service is deleted; consumers must then release the entry. */
  alive: boolean;
}
