/**
 * The suffix of a separate consumer group. In its own group a consumer gets all partitions from Kafka although another
 * process owns them, so that only the store can prevent double processing.
 */
export const OWN_GROUP = '.forced';
