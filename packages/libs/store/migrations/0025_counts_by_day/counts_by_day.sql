-- Audit records and investigations are counted by day, so that totals of a time range count only its first and its last day by rows.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- As before, several rows of one key are to be summed. Days are in UTC.
create table audit_counts (
  organization_id text not null,
  day date not null,
  action text not null,
  object_type text not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
create index audit_counts_by_day on audit_counts (organization_id, day);
grant select on audit_counts to tidewatch_api;

-- The log of audit records is append-only, so that nothing else changes a count.
create function count_audit() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  insert into audit_counts
    select organization_id, (at at time zone 'UTC')::date, action, object_type, count(*) from new_rows group by 1, 2, 3, 4;
  if not found or current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  if (
    select count(*) from audit_counts
    where organization_id = (select organization_id from new_rows limit 1)
      and day = (select (at at time zone 'UTC')::date from new_rows limit 1)
  ) > 200 and pg_try_advisory_xact_lock(8230, 8) then
    with taken as (
      delete from audit_counts
      where (organization_id, day) in (select organization_id, (at at time zone 'UTC')::date from new_rows) returning *
    )
    insert into audit_counts select organization_id, day, action, object_type, sum(count) from taken group by 1, 2, 3, 4;
  end if;
  return null;
end $$;
create trigger audit_counted_insert after insert on audit
  referencing new table as new_rows for each statement execute function count_audit();
revoke all on function count_audit() from public;

alter table investigation_counts add column day date not null default '-infinity';
drop index investigation_counts_by_organization;
create index investigation_counts_by_day on investigation_counts (organization_id, day);

create or replace function count_investigations() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
      select organization_id, (created_at at time zone 'UTC')::date, status, conclusion, severity, count(*)
      from new_rows group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
      select organization_id, (created_at at time zone 'UTC')::date, status, conclusion, severity, -count(*)
      from old_rows group by 1, 2, 3, 4, 5;
    return null;
  else
    insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
      select organization_id, (created_at at time zone 'UTC')::date, status, conclusion, severity, sum(n)
      from (
        select 1 as n, organization_id, created_at, status, conclusion, severity from new_rows
        union all select -1, organization_id, created_at, status, conclusion, severity from old_rows
      ) c
      group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  end if;
  if not found or current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  if (
    select count(*) from investigation_counts
    where organization_id = (select organization_id from new_rows limit 1)
      and day = (select (created_at at time zone 'UTC')::date from new_rows limit 1)
  ) > 200 and pg_try_advisory_xact_lock(8230, 7) then
    with taken as (
      delete from investigation_counts
      where (organization_id, day) in (select organization_id, (created_at at time zone 'UTC')::date from new_rows) returning *
    )
    insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
      select organization_id, day, status, conclusion, severity, sum(count)
      from taken group by 1, 2, 3, 4, 5 having sum(count) <> 0;
  end if;
  return null;
end $$;

delete from investigation_counts;
insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
  select organization_id, (created_at at time zone 'UTC')::date, status, conclusion, severity, count(*)
  from investigations group by 1, 2, 3, 4, 5;
insert into audit_counts
  select organization_id, (at at time zone 'UTC')::date, action, object_type, count(*) from audit group by 1, 2, 3, 4;

select isolate_organizations();
