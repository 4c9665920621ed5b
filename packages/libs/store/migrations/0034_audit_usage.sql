-- How many bytes the audit log of an organization took in the current hour, so that nobody fills what nobody can shorten.
set local role tidewatch_owner;
set local search_path = tidewatch;

create table audit_usage (
  org_id text primary key references organizations (id),
  hour timestamptz not null,
  bytes bigint not null
);
grant select, insert, update on audit_usage to tidewatch_api;
select isolate_organizations();
