-- Migration 0022 wrote each row once more, which left the indexes three times as large, and every search for a part of a name
-- reads one of them whole.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

reindex table service_names;
