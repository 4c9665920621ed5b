import type { Places } from '../../wire/places.ts';
import type { ProtobufReader } from '../../wire/protobuf-reader.ts';

/** The max number of messages that are joined to one, of which senders make one. */
const MAX_JOINED = 1_000;

/** Adds to `places` where the message begins and ends whose length is next, and moves behind it. Throws if there are more than 1,000. */
export function addPlace(reader: ProtobufReader, places: Places): void {
  if (places.count >= MAX_JOINED)
    throw reader.malformed(`a message is divided into more than ${MAX_JOINED}`, reader.at);
  const outer = reader.enter();
  places.add(reader.at, reader.end);
  reader.leave(outer);
}
