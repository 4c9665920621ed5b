import './own-group.ts';

await import('@tidewatch/writer/main');
