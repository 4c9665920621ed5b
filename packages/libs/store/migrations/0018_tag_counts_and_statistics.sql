-- How many services there are of each tag and status, kept as the counts of statuses are: writers append, and whoever
-- gets the lock adds up. So a list narrowed by one tag, with or without a status, has its total without counting.
set local role tidewatch_owner;
set local search_path = tidewatch;

lock table services in share row exclusive mode;

-- Services that are neither deleted nor archived. A count of zero has no row.
create table service_tag_counts (
  org_id text not null,
  name text not null collate "C",
  value text not null collate "C",
  status text not null,
  count bigint not null,
  primary key (org_id, name, value, status)
) with (fillfactor = 70);

-- What is yet to be added to service_tag_counts. Only ever appended to by writers, so that none waits for another's commit.
create table service_tag_count_changes (
  org_id text not null,
  name text not null collate "C",
  value text not null collate "C",
  status text not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- The counts as this snapshot has them; several rows of one key are to be summed.
create view service_tag_tallies as
  select org_id, name, value, status, count from service_tag_counts
  union all
  select org_id, name, value, status, count from service_tag_count_changes;

create function count_service_tags() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into service_tag_count_changes
      select r.org_id, t.key, t.value, r.status, count(*)
      from new_rows r cross join lateral jsonb_each_text(r.tags) t
      where r.deleted_at is null and r.archived_at is null group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into service_tag_count_changes
      select r.org_id, t.key, t.value, r.status, -count(*)
      from old_rows r cross join lateral jsonb_each_text(r.tags) t
      where r.deleted_at is null and r.archived_at is null group by 1, 2, 3, 4;
  else
    -- Most updates of health change the reasons only.
    insert into service_tag_count_changes
      select c.org_id, t.key, t.value, c.status, sum(c.n)
      from old_rows o join new_rows r on r.org_id = o.org_id and r.id = o.id
      cross join lateral (values
        (-1, o.org_id, o.status, o.tags, o.deleted_at is null and o.archived_at is null),
        (1, r.org_id, r.status, r.tags, r.deleted_at is null and r.archived_at is null)) c (n, org_id, status, tags, is_listed)
      cross join lateral jsonb_each_text(c.tags) t
      where c.is_listed and (o.status, o.tags, o.archived_at, o.deleted_at)
        is distinct from (r.status, r.tags, r.archived_at, r.deleted_at)
      group by 1, 2, 3, 4 having sum(c.n) <> 0;
  end if;
  if not found then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed' and pg_try_advisory_xact_lock(8230, 4) then
    with taken as (delete from service_tag_count_changes returning *)
    merge into service_tag_counts as c
    using (
      select org_id, name, value, status, sum(count)::bigint as count
      from taken group by 1, 2, 3, 4 having sum(count) <> 0
    ) t
    on (c.org_id, c.name, c.value, c.status) = (t.org_id, t.name, t.value, t.status)
    when matched and c.count + t.count = 0 then delete
    when matched then update set count = c.count + t.count
    when not matched then insert values (t.org_id, t.name, t.value, t.status, t.count);
  end if;
  return null;
end $$;
create trigger service_tags_counted_insert after insert on services
  referencing new table as new_rows for each statement execute function count_service_tags();
create trigger service_tags_counted_update after update on services
  referencing old table as old_rows new table as new_rows for each statement execute function count_service_tags();
create trigger service_tags_counted_delete after delete on services
  referencing old table as old_rows for each statement execute function count_service_tags();

insert into service_tag_counts
  select s.org_id, t.key, t.value, s.status, count(*)
  from services s cross join lateral jsonb_each_text(s.tags) t
  where s.deleted_at is null and s.archived_at is null group by 1, 2, 3, 4;

revoke all on function count_service_tags() from public;
grant select on service_tag_tallies to tidewatch_api;

-- No question asks for rows by a value, but every analysis sorts a sample of each column: 64 of them in a rollup.
create function leave_values_unanalyzed(partition regclass) returns void
language plpgsql set search_path = tidewatch, pg_temp as $$
begin
  execute (
    select format('alter table %s %s', partition, string_agg(format('alter %I set statistics 0', attname), ', '))
    from pg_attribute where attrelid = partition and attname ~ '^(v|sum|cnt|min|max)[0-9]+$' and not attisdropped
  );
end $$;
revoke all on function leave_values_unanalyzed(regclass) from public;

do $migration$
begin
  if current_setting('tidewatch.edition') <> 'plain' then
    return;
  end if;
  perform leave_values_unanalyzed(i.inhrelid) from pg_inherits i
  where i.inhparent in ('samples'::regclass, 'samples_backfill'::regclass,
    'rollup_1m'::regclass, 'rollup_1h'::regclass, 'rollup_1d'::regclass);

  create or replace function ensure_partition(parent text, lower_bound timestamptz, upper_bound timestamptz) returns boolean
  language plpgsql security definer set search_path = tidewatch, pg_temp as $$
  declare
    child text := parent || '_' || to_char(lower_bound at time zone 'UTC', 'YYYYMMDD');
  begin
    if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
      raise exception 'not a partitioned table of the product: %', parent;
    end if;
    if to_regclass('tidewatch.' || child) is not null then
      return false;
    end if;
    -- Attaching what was created apart locks readers and writers of the parent less than "partition of" does.
    execute format('create table %I (like %I)', child, parent);
    if parent <> 'snapshots' then
      perform leave_values_unanalyzed(child::regclass);
    end if;
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child, lower_bound, upper_bound);
    return true;
  exception when duplicate_table or unique_violation then
    return false;
  end $$;
end $migration$;
