/** The fields of a service that consumers of samples need, cached until it is deleted. */
export interface ServiceEntry {
  readonly organizationId: string;
  readonly serviceId: string;
  readonly host: string;
  /** Replaced as a whole, never changed in place, so consumers may compare by identity. */
  tags: Readonly<Record<string, string>>;
  /** Sample time of the payload that set the tags, -Infinity where none did. */
  tagsAt: number;
  /** Whether the stored tags have a later time than the clock of the host shows, because that was set back. */
  isClockSetBack: boolean;
  /** Payloads received at or before this belong to a deleted service of the same host. */
  readonly notBefore: number;
  /** Whether the current transaction created it: no other rows of it are stored yet. */
  isNew: boolean;
  /** False once the service is deleted: consumers must then release the entry. */
  alive: boolean;
}
