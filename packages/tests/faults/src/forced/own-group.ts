/**
 * Kafka gives each partition to one member of a group. In a group of its own a consumer is given all of them, though
 * another process owns them; only the store knows.
 */
export const OWN_GROUP = '.forced';
