import kafkajs from 'kafkajs';

// Kafka gives each partition to one member of a group. In a group of its own a consumer is given all of them, though
// another process owns them; only the store knows.
const consumer = kafkajs.Kafka.prototype.consumer;
kafkajs.Kafka.prototype.consumer = function own(config) {
  return consumer.call(this, { ...config, groupId: `${config?.groupId}.forced` });
};
