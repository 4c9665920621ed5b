-- Starter rules that nobody edited name no channel and notify nobody: from here on they notify the default channels.
set local role tidewatch_owner;
set local search_path = tidewatch;

update alert_rules set definition = definition || '{"channels": ["default"]}', version = version + 1
where external_id like 'starter/%' and deleted_at is null and version = 1 and definition -> 'channels' = '[]';

update revisions set revision = revision + 1 where name = 'rules';
