import './own-group.ts';

await import('@tidewatch/evaluator/main');
