-- What lists of services are chosen and counted by, kept by triggers: names and tags apart from the rows whose health changes
-- all the time, and counters to which writers append without waiting for each other.

-- How many services of each status are not deleted; archived ones count as 'archived'. Several rows of one key are to be summed.
create table service_counts (
  organization_id text not null,
  status text not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
grant select on service_counts to tidewatch_api;

-- Counting triggers are written out for each kind of statement, so that each is planned once for a connection, and return where no
-- count changes. The transaction that gets the lock adds up the committed changes; other transactions do not wait for it.
create function count_services() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into service_counts
      select organization_id, case when archived_at is null then status else 'archived' end, count(*)
      from new_rows where deleted_at is null group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into service_counts
      select organization_id, case when archived_at is null then status else 'archived' end, -count(*)
      from old_rows where deleted_at is null group by 1, 2;
  else
    insert into service_counts
      select organization_id, case when archived_at is null then status else 'archived' end, sum(n)
      from (select 1 as n, r.* from new_rows r union all select -1, o.* from old_rows o) c
      where deleted_at is null group by 1, 2 having sum(n) <> 0;
  end if;
  if not found then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed'
    and (select count(*) from service_counts) > 100 and pg_try_advisory_xact_lock(8230, 3) then
    with taken as (delete from service_counts returning *)
    insert into service_counts select organization_id, status, sum(count) from taken group by 1, 2 having sum(count) <> 0;
  end if;
  return null;
end $$;
create trigger services_counted_insert after insert on services
  referencing new table as new_rows for each statement execute function count_services();
create trigger services_counted_update after update on services
  referencing old table as old_rows new table as new_rows for each statement execute function count_services();
create trigger services_counted_delete after delete on services
  referencing old table as old_rows for each statement execute function count_services();

-- Names and tags of the services that are neither deleted nor archived. Their rows change seldom, so a list finds them in the
-- index alone, however often the health of the services is written.
create table service_names (
  organization_id text not null,
  host text not null collate "C",
  id text not null,
  -- Collation "C" folds ASCII only.
  folded text not null collate "C" generated always as (lower(host)) stored,
  primary key (organization_id, host, id) include (folded)
) with (autovacuum_vacuum_insert_threshold = 200, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.05);
-- Hosts in a random order that stays the same: each investigation compares with a few of them.
create index service_names_drawn on service_names (organization_id, md5(id));
create table service_tags (
  organization_id text not null,
  name text not null collate "C",
  value text not null collate "C",
  host text not null collate "C",
  id text not null,
  primary key (organization_id, name, value, host, id)
) with (autovacuum_vacuum_insert_threshold = 200, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.05);
grant select on service_names, service_tags to tidewatch_investigator, tidewatch_api;

create function list_service() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  was boolean := tg_op <> 'INSERT' and old.deleted_at is null and old.archived_at is null;
  stays boolean := tg_op <> 'DELETE' and new.deleted_at is null and new.archived_at is null;
  is_same boolean := was and stays and old.host = new.host;
  before jsonb := case when was then old.tags else '{}' end;
  after jsonb := case when stays then new.tags else '{}' end;
begin
  if was and not is_same then
    delete from service_names where organization_id = old.organization_id and host = old.host and id = old.id;
  end if;
  if stays and not is_same then
    insert into service_names (organization_id, host, id) values (new.organization_id, new.host, new.id);
  end if;
  if was then
    delete from service_tags t using jsonb_each_text(before) b
    where t.organization_id = old.organization_id and t.name = b.key and t.value = b.value and t.host = old.host and t.id = old.id
      and (not is_same or after ->> b.key is distinct from b.value);
  end if;
  if stays then
    insert into service_tags select new.organization_id, a.key, a.value, new.host, new.id from jsonb_each_text(after) a
    where not is_same or before ->> a.key is distinct from a.value;
  end if;
  return null;
end $$;
create trigger services_listed_insert after insert on services for each row execute function list_service();
-- Not for updates of health, which set none of these columns.
create trigger services_listed_update after update of host, tags, archived_at, deleted_at on services for each row
  when ((old.host, old.tags, old.archived_at, old.deleted_at)
    is distinct from (new.host, new.tags, new.archived_at, new.deleted_at))
  execute function list_service();
create trigger services_listed_delete after delete on services for each row execute function list_service();

-- How many services of each tag and status there are that are neither deleted nor archived. A count of zero has no row.
create table service_tag_counts (
  organization_id text not null,
  name text not null collate "C",
  value text not null collate "C",
  status text not null,
  count bigint not null,
  primary key (organization_id, name, value, status)
) with (fillfactor = 70);
-- What is yet to be added to service_tag_counts.
create table service_tag_count_changes (
  organization_id text not null,
  name text not null collate "C",
  value text not null collate "C",
  status text not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
-- The counts as of the reader's snapshot; several rows of one key are to be summed.
create view service_tag_tallies with (security_invoker = true) as
  select organization_id, name, value, status, count from service_tag_counts
  union all
  select organization_id, name, value, status, count from service_tag_count_changes;
grant select on service_tag_counts, service_tag_count_changes, service_tag_tallies to tidewatch_api;

-- Each service counts under all its tags, so what did not change is left out before its tags are spread. Counts are looked up by
-- the key, however few there are yet, or all would be read for each.
create function count_service_tags() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into service_tag_count_changes
      select r.organization_id, t.key, t.value, r.status, count(*)
      from new_rows r cross join lateral jsonb_each_text(r.tags) t
      where r.deleted_at is null and r.archived_at is null group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into service_tag_count_changes
      select r.organization_id, t.key, t.value, r.status, -count(*)
      from old_rows r cross join lateral jsonb_each_text(r.tags) t
      where r.deleted_at is null and r.archived_at is null group by 1, 2, 3, 4;
  else
    insert into service_tag_count_changes
      select e.organization_id, t.key, t.value, e.status, sum(e.n)
      from (
        select organization_id, status, tags, sum(n) as n
        from (select 1 as n, r.* from new_rows r union all select -1, o.* from old_rows o) c
        where deleted_at is null and archived_at is null group by 1, 2, 3 having sum(n) <> 0
      ) e
      cross join lateral jsonb_each_text(e.tags) t
      group by 1, 2, 3, 4 having sum(e.n) <> 0;
  end if;
  if not found then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed' and pg_try_advisory_xact_lock(8230, 4) then
    with taken as (delete from service_tag_count_changes returning *)
    merge into service_tag_counts as c
    using (
      select organization_id, name, value, status, sum(count)::bigint as count
      from taken group by 1, 2, 3, 4 having sum(count) <> 0
    ) t
    on (c.organization_id, c.name, c.value, c.status) = (t.organization_id, t.name, t.value, t.status)
    when matched and c.count + t.count = 0 then delete
    when matched then update set count = c.count + t.count
    when not matched then insert values (t.organization_id, t.name, t.value, t.status, t.count);
  end if;
  return null;
end $$;
create trigger service_tags_counted_insert after insert on services
  referencing new table as new_rows for each statement execute function count_service_tags();
create trigger service_tags_counted_update after update on services
  referencing old table as old_rows new table as new_rows for each statement execute function count_service_tags();
create trigger service_tags_counted_delete after delete on services
  referencing old table as old_rows for each statement execute function count_service_tags();

revoke all on function count_services(), list_service(), count_service_tags() from public;
