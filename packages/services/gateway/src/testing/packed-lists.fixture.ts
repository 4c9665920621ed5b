import protobuf from 'protobufjs';

const LIST_OF_NUMBERS = /repeated (?:double|fixed64|sint64|uint32|uint64) \w+ = \d+/g;

/** Messages in version 3 of protobuf, in which numbers of a list stand in one field. */
export function withPackedLists(messages: string): protobuf.Namespace {
  // Without it protobufjs gives each number a field.
  return protobuf.parse(messages, { keepCase: false }).root.resolveAll();
}

/** The same messages with a field for each number, which readers have to take as well. */
export function withoutPackedLists(messages: string): protobuf.Namespace {
  return protobuf
    .parse(messages.replaceAll(LIST_OF_NUMBERS, '$& [packed = false]'), { keepCase: false })
    .root.resolveAll();
}
