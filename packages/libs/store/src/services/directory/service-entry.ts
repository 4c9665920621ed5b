/** What every consumer of samples needs to know about a service, cached for as long as it lives. */
export interface ServiceEntry {
  readonly organizationId: string;
  readonly serviceId: string;
  readonly host: string;
  /** Replaced as a whole, never changed in place, so consumers may compare by identity. */
  tags: Readonly<Record<string, string>>;
  /** Sample time of the payload that set the tags, -Infinity where none did. */
  tagsAt: number;
  /** Whether tags are stored with a later time than its clock shows now, since that was set back. */
  isClockSetBack: boolean;
  /** Payloads received at or before this belong to a deleted service of the same host. */
  readonly notBefore: number;
  /** Whether the transaction under way created it: nothing else of it can be stored yet. */
  isNew: boolean;
  /** False once the service is deleted: whoever still holds the entry lets go of it. */
  alive: boolean;
}
